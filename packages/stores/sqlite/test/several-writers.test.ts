import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { said, started } from "./other-process.js";
import { temporaryPath } from "./temporary.js";

const PROCESSES = ["p1", "p2", "p3", "p4"];
const EACH = 500;

/** What each of four processes says after its appends. */
async function appendAll(path: string, sessions: readonly string[]): Promise<readonly unknown[]> {
  const workers = PROCESSES.map((name) =>
    started("./append-in-process.mjs", { path, name, count: EACH, sessions }),
  );
  await Promise.all(workers.map((worker) => said(worker)));
  for (const worker of workers) worker.send("go");
  return Promise.all(workers.map((worker) => said(worker)));
}

describe("four processes with 500 appends each", () => {
  test.each([
    ["to one session", ["s"]],
    ["to many sessions", Array.from({ length: 40 }, (_, index) => `s${index}`)],
  ])("%s: all are there once, and nobody fails", async (_name, sessions) => {
    const path = await temporaryPath();
    await using store = await openSqliteStore({ path });
    const reports = await appendAll(path, sessions);
    const ids: string[] = [];
    for (const session of sessions) for (const { id } of await store.getChatHistory(session)) ids.push(id);
    const sent = PROCESSES.flatMap((name) => Array.from({ length: EACH }, (_, index) => `${name}-${index}`));
    expect(ids.toSorted()).toEqual(sent.toSorted());
    // How long they waited depends on the machine: it is told, and only a stand-still is a failure.
    console.info(_name, JSON.stringify(reports));
    for (const report of reports) expect(report).toMatchObject({ slowestMs: expect.any(Number) });
  });
});
