import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report.js";
import { useChaosRun } from "../run.js";

const MODES = ["queue", "reject", "merge", "interrupt"];
const RUN = ["--json", "--seed", "7", "--kills", "6", "--pause-ms", "600"];

/** A short run that must be sound. A run in which nothing happened would be sound as well, so calls are expected. */
async function soundRun(args: readonly string[]): Promise<Report["calls"]> {
  let calls: Report["calls"] = {};
  await useChaosRun([...args, ...RUN], async (run) => {
    const report = await run.report();
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe("sound");
    expect(report.struck.kills).toBeGreaterThanOrEqual(6);
    expect(report.struck.pauses).toBeGreaterThanOrEqual(1);
    expect(report.acknowledged).toBeGreaterThan(40);
    expect((await run.ended).code).toBe(0);
    calls = report.calls;
  });
  return calls;
}

describe.each(["json-file", "sqlite", "redis"])(
  "three processes on one %s store, killed and paused",
  (store) => {
    test("answer every update of a bot once, whatever it finds and however often it comes", async () => {
      const calls = await soundRun(["--target", "bots", "--store", store]);
      for (const mode of MODES) expect(calls[`${mode}: answered`]?.ok, mode).toBeGreaterThan(3);
      expect(Object.keys(calls).some((call) => call.endsWith(": reset"))).toBe(true);
    });

    test("run every turn of an agent once, executed, streamed and recovered", async () => {
      const calls = await soundRun(["--target", "agents", "--store", store]);
      for (const call of ["execute: answered", "stream: answered"])
        expect(calls[call]?.ok, call).toBeGreaterThan(10);
    });
  },
);
