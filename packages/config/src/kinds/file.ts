import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { invalid } from "../invalid.js";
import { count, flag, live, mode, oneOf, text } from "../option-rule.js";
import { type StoreKind, type Surroundings, storeKind } from "../store-kind.js";
import type { Rescue } from "../store-tools.js";
import { pathOf } from "../store-url.js";
import type { StoreWarning } from "../store-warning.js";
import { commonOptions } from "./common-options.js";

const load = (around: Surroundings) =>
  around.load("@sessions/json-file", () => import("@sessions/json-file"));

async function loadTools(around: Surroundings) {
  await load(around); // its error names the missing package
  return around.load("@sessions/json-file/maintenance", () => import("@sessions/json-file/maintenance"));
}

/** `file:./sessions`: a folder of journals. */
export const fileKind: StoreKind = storeKind({
  name: "file",
  schemes: ["file"],
  options: {
    root: text("the path of a folder"),
    durability: oneOf("Whether a commit is on the disk before it is acknowledged.", ["strict", "relaxed"]),
    readOnly: flag("Whether nothing may be changed."),
    allowNetworkFileSystem: flag("Whether a network file system is allowed, where commits can be lost."),
    fileMode: mode("The mode of files that are made, less the umask."),
    folderMode: mode("The mode of folders that are made, less the umask."),
    lockDeadlineMs: count("How long a commit may keep losing against other writers, in milliseconds."),
    rotateBytes: count("From which size on a journal is considered for rewriting."),
    cacheBytes: count("How much memory the states of sessions may take that were used lately."),
    maxOpenFiles: count("How many journals are kept open."),
    onWarning: live<(warning: StoreWarning) => void>("a function"),
    ...commonOptions,
  },
  fromUrl: (url, path) => ({ root: pathOf(url, path) }),
  locate: ({ root }, around) => `file:${rootOf(root, around)}`,
  exists: ({ root }, around) => existsSync(join(rootOf(root, around), "format.json")),
  async open({ root: given, fileMode, folderMode, ...options }, around) {
    const root = rootOf(given, around);
    const { openJsonFileStore } = await load(around);
    return openJsonFileStore({
      ...options,
      ...(around.mode === "read-only" ? { readOnly: true } : {}),
      fileMode: numeric(fileMode),
      folderMode: numeric(folderMode),
      root,
    });
  },
  async tools({ root: given }, around) {
    const root = rootOf(given, around);
    const { quarantined, quarantineSession, salvageSession, sessionFolders } = await loadTools(around);
    return {
      *suspects() {
        for (const { folder, sessionId } of sessionFolders({ root }))
          yield { place: folder, ...(sessionId === undefined ? {} : { sessionId }) };
      },
      async salvage(sessionId, newId): Promise<Rescue> {
        const saved = await salvageSession({ root, sessionId, newId });
        const { messages, incarnation, reached, appliedBeyond, leftOut, lost, quarantine } = saved;
        return { messages, incarnation, reached, appliedBeyond, leftOut, lost, kept: quarantine };
      },
      quarantine: (sessionId) => quarantineSession({ root, sessionId }),
      discard: async (sessionId) => `Its files are now in ${await quarantineSession({ root, sessionId })}.`,
      quarantined() {
        const { folder, entries } = quarantined({ root });
        return { folder, entries: entries.length };
      },
    };
  },
});

function rootOf(root: string | undefined, { base, path }: Surroundings): string {
  if (root === undefined) throw invalid(`${path}.root`, "must be a folder, such as ./sessions.");
  return resolve(base, root);
}

function numeric(given: number | string | undefined): number | undefined {
  return typeof given === "string" ? Number.parseInt(given, 8) : given;
}
