import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { said, started } from "./other-process.js";
import { connected, temporaryPath } from "./temporary.js";

const PROCESSES = ["p1", "p2", "p3", "p4"];
const EACH = 500;
const LONGEST_BLOCK_MS = 50;

/** What a process is told beside its name and the file. */
interface Asked {
  readonly count: number;
  readonly sessions: readonly string[];
  readonly busyTimeoutMs?: number;
  readonly spinMs?: number;
}

/** Processes that are ready to append. */
async function ready(path: string, names: readonly string[], asked: Asked): Promise<readonly ChildProcess[]> {
  const workers = names.map((name) => started("./append-in-process.mjs", { path, name, ...asked }));
  await Promise.all(workers.map((worker) => said(worker)));
  return workers;
}

/** Lets them append. Somebody else has the lock, until `held` is over. */
async function begin(
  path: string,
  workers: readonly ChildProcess[],
  held: () => Promise<unknown>,
): Promise<void> {
  const other = connected(path);
  other.exec("BEGIN IMMEDIATE");
  for (const worker of workers) worker.send("go");
  await held();
  other.exec("ROLLBACK");
}

/** What a process tells at its end, in milliseconds. */
interface Report {
  readonly slowestMs: number;
  /** On the clock, as `monitorEventLoopDelay` has it: with the waits for the disk, and for a processor. */
  readonly longestDelayMs: number;
  /** What it has computed itself. */
  readonly longestBlockMs: number;
}

function isReport(said: unknown): said is Report {
  return typeof said === "object" && said !== null && "longestBlockMs" in said;
}

async function reportOf(worker: ChildProcess): Promise<Report> {
  const report = await said(worker);
  if (isReport(report)) return report;
  throw new Error(`no report: ${JSON.stringify(report)}`);
}

/** Shown with the test's result. How long they waited depends on the machine, so it is told and not judged. */
function tell(what: string, reports: readonly Report[]): void {
  const rows = reports.map(
    ({ slowestMs, longestDelayMs, longestBlockMs }, index) =>
      `| ${PROCESSES[index]} | ${slowestMs} ms | ${longestDelayMs} ms | ${longestBlockMs} ms |`,
  );
  console.info(
    [
      `Four processes with ${EACH} appends each, ${what}`,
      "| process | slowest append | longest event loop delay (clock) | longest block (own work) |",
      "|---|---:|---:|---:|",
      ...rows,
    ].join("\n"),
  );
}

describe("four processes with 500 appends each", () => {
  test.each([
    ["to one session", ["s"]],
    ["to many sessions", Array.from({ length: 40 }, (_, index) => `s${index}`)],
  ])("%s: all are there once, nobody fails, and every event loop goes on", async (name, sessions) => {
    const path = await temporaryPath();
    await using store = await openSqliteStore({ path });
    const workers = await ready(path, PROCESSES, { count: EACH, sessions });
    // None of them can write yet: that their event loops go on is all that they can say.
    await begin(path, workers, async () => {
      for (const word of await Promise.all(workers.map((worker) => said(worker))))
        expect(word).toBe("went on");
    });
    const reports = await Promise.all(workers.map(reportOf));
    const ids: string[] = [];
    for (const session of sessions) for (const { id } of await store.getChatHistory(session)) ids.push(id);
    const sent = PROCESSES.flatMap((one) => Array.from({ length: EACH }, (_, index) => `${one}-${index}`));
    expect(ids.toSorted()).toEqual(sent.toSorted());
    tell(name, reports);
    for (const { longestDelayMs, longestBlockMs } of reports) {
      expect(longestDelayMs).toBeGreaterThan(0); // it was measured
      expect(longestBlockMs).toBeLessThanOrEqual(LONGEST_BLOCK_MS);
    }
  });
});

describe("the measure tells", () => {
  test("of one that waits inside SQLite: its event loop does not go on", async () => {
    const path = await temporaryPath();
    await using _store = await openSqliteStore({ path });
    const workers = await ready(path, ["waiting"], { count: 1, sessions: ["s"], busyTimeoutMs: 60_000 });
    const heard: unknown[] = [];
    for (const worker of workers) worker.on("message", (message) => heard.push(message));
    await begin(path, workers, async () => {
      await delay(1000);
      expect(heard).toEqual([]);
    });
  });

  test("of one that computes for long", async () => {
    const path = await temporaryPath();
    await using _store = await openSqliteStore({ path });
    const workers = await ready(path, ["computing"], { count: 1, sessions: ["s"], spinMs: 200 });
    await begin(path, workers, () => Promise.all(workers.map((worker) => said(worker))));
    const [report] = await Promise.all(workers.map(reportOf));
    expect(report?.longestBlockMs).toBeGreaterThan(LONGEST_BLOCK_MS);
  });
});
