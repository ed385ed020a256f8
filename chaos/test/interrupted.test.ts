import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type ChaosRun, useChaosRun } from "./run.js";

/** The logs of the workers that have started. */
function logs(run: ChaosRun): string[] {
  return readdirSync(run.folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".jsonl"));
}

const RUN = ["--minutes", "1", "--seed", "7"];

/** Starts a run and waits until all its workers have started. */
async function useStartedRun(use: (run: ChaosRun) => Promise<void>): Promise<void> {
  await useChaosRun(RUN, async (run) => {
    await expect.poll(() => logs(run).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
    expect(run.processes().length).toBeGreaterThanOrEqual(4);
    await use(run);
  });
}

test.each([
  ["Ctrl-C", (run: ChaosRun) => run.signalGroup("SIGINT")],
  ["SIGTERM", (run: ChaosRun) => run.signal("SIGTERM")],
])("a run that is stopped by %s leaves no process and no folder behind", async (_name, stop) => {
  await useStartedRun(async (run) => {
    stop(run);
    const { code, output } = await run.ended;
    expect(code).toBe(130);
    expect(output).toContain("INTERRUPTED");
    expect(run.processes()).toEqual([]);
    expect(readdirSync(run.folder)).toEqual([]);
  });
});

test("a run that is stopped by SIGKILL leaves no process behind", async () => {
  await useStartedRun(async (run) => {
    run.signal("SIGKILL");
    await run.ended;
    await expect.poll(() => run.processes(), { timeout: 30_000 }).toEqual([]);
  });
});

test("`--help` lists the options", async () => {
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

test("an unknown store is refused, and no folder is made", async () => {
  await useChaosRun(["--store", "sand"], async (run) => {
    const { code, errors } = await run.ended;
    expect(code).toBe(1);
    expect(errors).toContain('"sand" is none of json-file');
    expect(readdirSync(run.folder)).toEqual([]);
  });
});
