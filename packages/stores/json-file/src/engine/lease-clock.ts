import { readFileSync, readlinkSync } from "node:fs";
import type { LeaseClock } from "@sessions/protocol/backend";
import { hasCode } from "./has-code.js";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";
const TIME_NAMESPACE = "/proc/self/ns/time";

/**
 * The monotonic clock of the machine, which all processes of one boot share. `undefined` where the system does not name its
 * boots: there each process is a time domain of its own.
 */
export function systemLeaseClock(): LeaseClock | undefined {
  const boot = readIfPresent(() => readFileSync(BOOT_ID, "utf8").trim());
  if (boot === undefined) return undefined;
  // Containers may run in time namespaces, whose monotonic clocks have offsets. Kernels before 5.6 have none.
  const namespace = readIfPresent(() => readlinkSync(TIME_NAMESPACE)) ?? "";
  return { domain: `boot:${boot}:${namespace}`, now: () => Number(process.hrtime.bigint()) / 1e6 };
}

/** `undefined` where the system has no such file or does not show it. Any other failure is the caller's to see. */
function readIfPresent(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
