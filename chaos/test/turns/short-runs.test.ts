import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report.js";
import { soundRun } from "../run.js";

const MODES = ["queue", "reject", "merge", "interrupt"];

async function callsOf(target: string, store: string): Promise<Report["calls"]> {
  const args = ["--target", target, "--store", store];
  return (await soundRun(args, { kills: 4, pauses: 1, acknowledged: 30 })).calls;
}

describe.each(["json-file", "sqlite", "redis"])("three processes on %s", (store) => {
  test("bots answer every update once, while their processes are killed and paused and updates come again", async () => {
    const calls = await callsOf("bots", store);
    for (const mode of MODES) expect(calls[`${mode}: answered`]?.ok, mode).toBeGreaterThan(3);
    expect(Object.keys(calls).some((call) => call.endsWith(": reset"))).toBe(true);
  });

  test("agents run every turn once, executed, streamed and recovered, while their processes are killed and paused", async () => {
    const calls = await callsOf("agents", store);
    for (const call of ["execute: answered", "stream: answered"])
      expect(calls[call]?.ok, call).toBeGreaterThan(10);
  });
});
