/** The system calls that can fail, in the order in which shim/failing-calls.c numbers them. */
export const CALLS = [
  "open",
  "read",
  "write",
  "sync",
  "truncate",
  "remove",
  "name",
  "stat",
  "list",
  "lock",
  "map",
  "close",
  "watch",
] as const;

export type SystemCall = (typeof CALLS)[number];

/** How a call fails: an error number of Linux, or a negative number that the shim defines. */
const KINDS = {
  EINTR: 4,
  EIO: 5,
  ENOMEM: 12,
  EMFILE: 24,
  ENOSPC: 28,
  "short write": -1,
  "short write, then ENOSPC": -2,
  "short write, then another process writes": -3,
} as const;

export type FaultKind = keyof typeof KINDS;

/** The only kind that makes another process write, so that the store holds more than the operation wrote. */
export const OTHER_WRITER: FaultKind = "short write, then another process writes";

export const numberOfKind = (kind: FaultKind): number => KINDS[kind];

const KINDS_OF: Readonly<Record<SystemCall, readonly FaultKind[]>> = {
  open: ["EIO", "EMFILE", "ENOSPC", "EINTR"],
  read: ["EIO", "EINTR"],
  write: ["EIO", "ENOSPC", "EINTR", "short write", "short write, then ENOSPC"],
  sync: ["EIO", "ENOSPC", "EINTR"],
  truncate: ["EIO", "ENOSPC"],
  remove: ["EIO"],
  name: ["EIO", "ENOSPC"],
  stat: ["EIO"],
  list: ["EIO", "EMFILE"],
  lock: ["EIO"],
  map: ["ENOMEM"],
  close: ["EIO"],
  watch: ["ENOSPC"],
};

/** One system call that fails once: the `nth` of its name in an operation, from 1. */
export interface Fault {
  readonly call: SystemCall;
  readonly nth: number;
  readonly kind: FaultKind;
}

/** Every fault of the counted calls. */
export function faultsOf(
  counts: Readonly<Record<SystemCall, number>>,
  otherWriter: boolean,
): readonly Fault[] {
  return CALLS.flatMap((call) => {
    const kinds = call === "write" && otherWriter ? [...KINDS_OF.write, OTHER_WRITER] : KINDS_OF[call];
    return Array.from({ length: counts[call] }, (_, index) =>
      kinds.map((kind) => ({ call, nth: index + 1, kind })),
    ).flat();
  });
}
