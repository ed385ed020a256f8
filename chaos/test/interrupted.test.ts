import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ChaosRun, useChaosRun } from "./run.js";

/** The logs of the workers that have begun. */
function logs(run: ChaosRun): string[] {
  return readdirSync(run.folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".jsonl"));
}

/** Processes that know the folder of the run. */
function processes(run: ChaosRun): string[] {
  const all = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes(run.folder));
}

const RUN = ["--minutes", "1", "--seed", "7"];

/** A run whose workers are all at work. */
async function whileAtWork(use: (run: ChaosRun) => Promise<void>): Promise<void> {
  await useChaosRun(RUN, async (run) => {
    await expect.poll(() => logs(run).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
    expect(processes(run).length).toBeGreaterThanOrEqual(4);
    await use(run);
  });
}

describe("a run that is stopped", () => {
  test.each([
    ["Ctrl-C", (run: ChaosRun) => run.signalGroup("SIGINT")],
    ["SIGTERM", (run: ChaosRun) => run.signal("SIGTERM")],
  ])("by %s leaves no process and no folder behind", async (_name, stop) => {
    await whileAtWork(async (run) => {
      stop(run);
      const { code, output } = await run.ended;
      expect(code).toBe(130);
      expect(output).toContain("INTERRUPTED");
      expect(processes(run)).toEqual([]);
      expect(readdirSync(run.folder)).toEqual([]);
    });
  });

  test("by SIGKILL leaves no process behind", async () => {
    await whileAtWork(async (run) => {
      run.signal("SIGKILL");
      await run.ended;
      await expect.poll(() => processes(run), { timeout: 30_000 }).toEqual([]);
    });
  });
});

describe("the command line", () => {
  test("tells what it takes", async () => {
    await useChaosRun(["--help"], async (run) => {
      const { code, output } = await run.ended;
      expect(code).toBe(0);
      for (const option of [
        "--store",
        "--minutes",
        "--kills",
        "--writers",
        "--seed",
        "--pause-ms",
        "--keep",
        "--json",
        "--target",
        "--modes",
        "--no-links",
      ])
        expect(output).toContain(option);
    });
  });

  test("refuses a store that it does not know, and makes nothing", async () => {
    await useChaosRun(["--store", "sand"], async (run) => {
      const { code, errors } = await run.ended;
      expect(code).toBe(1);
      expect(errors).toContain('"sand" is none of json-file');
      expect(readdirSync(run.folder)).toEqual([]);
    });
  });
});
