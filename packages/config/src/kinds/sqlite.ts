import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { invalid } from "../invalid.js";
import { count, flag, live, text } from "../option-rule.js";
import { type StoreKind, type Surroundings, storeKind } from "../store-kind.js";
import type { Rescue } from "../store-tools.js";
import { pathOf } from "../store-url.js";
import { commonOptions } from "./common-options.js";

/** The methods of a better-sqlite3 `Database` that this file uses. */
interface Database {
  readonly name: string;
  readonly open: boolean;
  readonly memory: boolean;
  readonly readonly: boolean;
  prepare(source: string): unknown;
  pragma(source: string): unknown;
}

const load = (around: Surroundings) => around.load("@sessions/sqlite", () => import("@sessions/sqlite"));

const loadMaintenance = (around: Surroundings) =>
  around.load("@sessions/sqlite/maintenance", () => import("@sessions/sqlite/maintenance"));

/** `sqlite:./sessions.db`: one database file. */
export const sqliteKind: StoreKind = storeKind({
  name: "sqlite",
  schemes: ["sqlite"],
  options: {
    path: text("the path of a file"),
    database: live<Database>("an open better-sqlite3 database"),
    search: flag("Whether messages can be searched."),
    deadlineMs: count("How long a call waits for other writers, in milliseconds."),
    cacheBytes: count("How much of the messages is kept in memory."),
    sweepIntervalMs: count("How often expired sessions are swept, in milliseconds. 0: never."),
    ...commonOptions,
  },
  fromUrl: (url, path) => ({ path: pathOf(url, path) }),
  locate: ({ path, database }, around) => `sqlite:${database?.name ?? fileOf(path, around)}`,
  exists: ({ path, database }, around) => database !== undefined || existsSync(fileOf(path, around)),
  async open({ path: given, database, ...options }, around) {
    const { openSqliteStore } = await load(around);
    if (database !== undefined) return openSqliteStore({ ...options, database });
    const located = { ...options, path: fileOf(given, around) };
    // A tool does not have the options of the app, so it uses the index that the app has made.
    if (around.mode !== "existing" || options.search !== undefined) return openSqliteStore(located);
    const { hasSearchIndex } = await loadMaintenance(around);
    return openSqliteStore({ ...located, search: await hasSearchIndex(located) });
  },
  async tools({ path: given, database, ...options }, around) {
    if (database !== undefined) return {}; // the code that opened the database can call the store's own functions
    const { removeDamagedSession, salvageSession, sessionIds } = await loadMaintenance(around);
    const path = fileOf(given, around);
    return {
      searchHint: `To make an index, open the database once with search=true: sqlite:${path}?search=true. The messages that are there are indexed then, and every later message when it is written.`,
      async discard(sessionId) {
        await removeDamagedSession({ ...options, path, sessionId });
        return "Nothing of it is left in the database.";
      },
      async *suspects() {
        for await (const sessionId of sessionIds({ ...options, path })) yield { sessionId, place: path };
      },
      async salvage(sessionId, newId): Promise<Rescue> {
        const saved = await salvageSession({ ...options, path, sessionId, newId });
        const { messages, lostMessages, incarnation, revision } = saved;
        return {
          messages,
          lostMessages,
          incarnation,
          reached: revision,
          appliedBeyond: 0,
          leftOut: 0,
          kept: path,
        };
      },
    };
  },
});

function fileOf(file: string | undefined, { base, path }: Surroundings): string {
  if (file === undefined) throw invalid(`${path}.path`, "must be a file, such as ./sessions.db.");
  return resolve(base, file);
}
