import type { LeaseClock } from "../backend/lease-time.js";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";
const TIME_NAMESPACE = "/proc/self/ns/time";
const ABSENT_CODES: readonly unknown[] = ["ENOENT", "EACCES", "EPERM"];

/** What the clock asks of the machine. */
interface Machine {
  readonly readFile: (path: string) => string;
  readonly readLink: (path: string) => string;
  /** The machine's monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/**
 * The monotonic clock of the machine, which all processes of one boot share. `undefined` where the system does not name its
 * boots: there each process is a time domain of its own.
 */
export function machineLeaseClock({ readFile, readLink, now }: Machine): LeaseClock | undefined {
  const boot = readIfPresent(() => readFile(BOOT_ID).trim());
  if (boot === undefined) return undefined;
  // Containers may run in time namespaces, whose monotonic clocks have offsets. Kernels before 5.6 have none.
  const namespace = readIfPresent(() => readLink(TIME_NAMESPACE)) ?? "";
  return { domain: `boot:${boot}:${namespace}`, now };
}

/** `undefined` where the system has no such file or does not show it. Any other failure is the caller's to see. */
function readIfPresent(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && ABSENT_CODES.includes(error.code)) return undefined;
    throw error;
  }
}
