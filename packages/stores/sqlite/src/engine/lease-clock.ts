import { readFileSync, readlinkSync } from "node:fs";
import { type LeaseClock, machineLeaseClock } from "@sessions/protocol/backend";

/** The clock that turns are measured by: see `machineLeaseClock`. */
export function systemLeaseClock(): LeaseClock | undefined {
  return machineLeaseClock({
    readFile: (path) => readFileSync(path, "utf8"),
    readLink: (path) => readlinkSync(path),
    now: () => Number(process.hrtime.bigint()) / 1e6,
  });
}
