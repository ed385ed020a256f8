import { tmpdir } from "node:os";
import { ProgramRun } from "run-tools";
import { expect } from "vitest";
import type { Report } from "../src/report.js";

export type ChaosRun = ProgramRun<Report>;

/** Starts `npm run chaos` with these arguments for `use`. Then ends the run and removes its folder. */
export function useChaosRun<Result>(
  args: readonly string[],
  use: (run: ChaosRun) => Promise<Result>,
): Promise<Result> {
  return ProgramRun.use(
    {
      program: new URL("../dist/main.js", import.meta.url),
      args,
      // On the disk, also where other temporary files are in memory: a kill has to meet a disk that is slow.
      parentFolder: process.env.DISK_TMPDIR ?? tmpdir(),
    },
    use,
  );
}

/** What a run must have done at least: a run in which nothing happened would be sound as well. */
interface Minimum {
  readonly kills: number;
  readonly pauses: number;
  readonly acknowledged: number;
}

/** Makes a short run and expects it to be sound. */
export function soundRun(args: readonly string[], { kills, pauses, acknowledged }: Minimum): Promise<Report> {
  const common = ["--json", "--seed", "7", "--kills", String(kills), "--pause-ms", "600"];
  return useChaosRun([...args, ...common], async (run) => {
    const report = await run.report();
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe("sound");
    expect(report.disturbances.kills).toBeGreaterThanOrEqual(kills);
    expect(report.disturbances.pauses).toBeGreaterThanOrEqual(pauses);
    expect(report.acknowledged).toBeGreaterThan(acknowledged);
    expect((await run.ended).code).toBe(0);
    return report;
  });
}
