import { tmpdir } from "node:os";
import { ProgramRun } from "run-tools";
import type { Report } from "../src/report.js";

export type ChaosRun = ProgramRun<Report>;

/** Starts `npm run chaos` with these arguments for `use`. Afterwards the run and its folder are gone. */
export function useChaosRun(args: readonly string[], use: (run: ChaosRun) => Promise<void>): Promise<void> {
  return ProgramRun.use(
    {
      program: new URL("../dist/main.js", import.meta.url),
      args,
      parentFolder: tmpdir(),
    },
    use,
  );
}
