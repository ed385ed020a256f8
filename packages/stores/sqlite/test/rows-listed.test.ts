import { systemClock } from "@sessions/protocol";
import type Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openSqliteStore, type SqliteStore } from "../src/index.js";
import { connected, temporaryPath } from "./temporary.js";

const SESSIONS = 2000;
const PAGE = 50;

/** Sessions that came one every millisecond, all with the same label. */
async function filled(db: Database.Database): Promise<SqliteStore> {
  let now = 1_750_000_000_000;
  const clock = { ...systemClock, now: () => now };
  const store = await openSqliteStore({ database: db, clock, sweepIntervalMs: 0 });
  db.pragma("synchronous = OFF");
  for (; now < 1_750_000_000_000 + SESSIONS; now++)
    await store.createSession(`s${now}`, { labels: { common: "yes" } });
  return store;
}

/** Counts the sessions that a query looks at, from now on: who asks for `sessions` finds a view of them. */
function counted(db: Database.Database): { readonly seen: () => number } {
  let rows = 0;
  db.function("seen", { deterministic: false }, () => ++rows);
  db.exec("CREATE TEMP VIEW sessions AS SELECT * FROM main.sessions WHERE seen()");
  return {
    seen: () => {
      const before = rows;
      rows = 0;
      return before;
    },
  };
}

describe("a page of sessions", () => {
  test("looks at no more of them than it shows, and those of the same moment", async () => {
    const db = connected(await temporaryPath());
    await using store = await filled(db);
    const { seen } = counted(db);
    const first = await store.listSessions({ labels: { common: "yes" }, limit: PAGE });
    expect(seen()).toBeLessThan(2 * PAGE);
    const { cursor } = first;
    if (cursor === undefined) throw new Error("there is no second page");
    const second = await store.listSessions({ labels: { common: "yes" }, limit: PAGE, cursor });
    expect(seen()).toBeLessThan(2 * PAGE);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(new Set(ids).size).toBe(2 * PAGE);
  });

  test("looked at a whole second of them in the first schema: the count tells", async () => {
    const db = connected(await temporaryPath());
    await using store = await filled(db);
    db.exec("UPDATE sessions SET updated_slot = floor(updated_at / 1000)");
    const { seen } = counted(db);
    await store.listSessions({ labels: { common: "yes" }, limit: PAGE });
    expect(seen()).toBeGreaterThanOrEqual(1000);
  });
});
