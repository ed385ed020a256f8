import type { Message } from "@sessions/protocol";

/** Messages of a commit that were written before it, where nobody sees them. */
export interface Staged {
  rowOf(message: Message): number | undefined;
}

export const NOTHING_STAGED: Staged = { rowOf: () => undefined };
