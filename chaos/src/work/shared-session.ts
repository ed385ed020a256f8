import { sharedClock } from "@sessions/conformance/multi-process";
import type { Workplace } from "./workplace.js";

/**
 * What is done in a session. Not everything goes everywhere, so that the log can be judged exactly: who replaces a
 * history brings back what a revert took away, and a clock that is ahead lets a replace end somebody's turn.
 */
export type SharedKind = "chat" | "branch" | "turns";

const SLICE_US = 10_000_000;

/** The session of this kind that everybody uses now. There are new ones every ten seconds, or reads would only grow. */
export function sharedSession({ task, random }: Workplace, kind: SharedKind): string {
  const slice = Math.floor((sharedClock() - task.startedAt) / SLICE_US);
  const late = random.chance(0.05) ? 1 : 0;
  return `${kind}-${Math.max(0, slice - late)}`;
}
