/** `1 session`, `2 sessions`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** `1 session is`, `2 sessions are`. */
export function countedAre(count: number, what: string): string {
  return `${counted(count, what)} ${count === 1 ? "is" : "are"}`;
}

/** `1 session is`, `All 2 sessions are`. */
export function allAre(count: number, what: string): string {
  return count === 1 ? countedAre(count, what) : `All ${countedAre(count, what)}`;
}
