/** Who runs a turn: shown to people, and read by `isGone`. */
export const ownerName = (host: string, pid: number): string => `chat on ${host}, process ${pid}`;

const OWNER = /^chat on (?<host>.*), process (?<pid>\d+)$/s;

/**
 * Whether the process that runs a turn is certainly no more. Only one of this machine can be known to be gone. If the
 * guess is wrong after all (a container with the same host name), the other loses its turn; its late writes are fenced
 * off, so nothing is damaged.
 */
export function isGone(owner: string | undefined, host: string): boolean {
  const { host: where, pid } = OWNER.exec(owner ?? "")?.groups ?? {};
  return where === host && pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
