import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { ProgramRun } from "run-tools";
import type { Report } from "../src/report.js";

export type FaultsRun = ProgramRun<Report>;

/** Starts `npm run faults` with these arguments for `use`. Then ends the run and removes its folder. */
export function useFaultsRun(args: readonly string[], use: (run: FaultsRun) => Promise<void>): Promise<void> {
  return ProgramRun.use(
    {
      program: new URL("../dist/main.js", import.meta.url),
      args,
      parentFolder: existsSync("/dev/shm") ? "/dev/shm" : tmpdir(),
    },
    use,
  );
}
