import { Damage } from "./damage.js";
import type { Segment } from "./segment.js";

/** A folder that was copied or renamed holds the journal of another session than its name says. */
export function own(head: Segment | undefined, sessionId: string | undefined): Segment | undefined {
  const id = head?.fold.header?.id;
  if (sessionId === undefined || id === undefined || id === sessionId) return head;
  throw new Damage(0, `the journal is that of session "${id}"`);
}
