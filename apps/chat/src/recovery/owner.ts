/** The name of a process that runs a turn. It is shown to users and read by `isGone`. */
export const ownerName = (host: string, pid: number): string => `chat on ${host}, process ${pid}`;

const OWNER = /^chat on (?<host>.*), process (?<pid>\d+)$/s;

/**
 * Whether the process that runs a turn is dead, which only a process of the same machine can know. If this is wrong (two
 * containers with the same host name), the other process loses its turn. Its late writes are refused, so nothing is damaged.
 */
export function isGone(owner: string | undefined, host: string): boolean {
  const { host: where, pid } = OWNER.exec(owner ?? "")?.groups ?? {};
  return where === host && pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs, and belongs to another user.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
