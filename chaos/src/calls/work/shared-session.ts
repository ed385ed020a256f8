import { sharedClock } from "@sessions/conformance/multi-process";
import type { WorkContext } from "./work-context.js";

/**
 * What is done in a session. Not everything goes everywhere, so that the log can be judged exactly: a message that one
 * process archives while another drops it from the history stays archived, so "edits" are never archived.
 */
export type SharedKind = "chat" | "edits" | "branch" | "turns";

const SLICE_US = 10_000_000;

/** The session of this kind that everybody uses now. There are new ones every ten seconds, or reads would only grow. */
export function sharedSession({ task, random }: WorkContext, kind: SharedKind): string {
  const slice = Math.floor((sharedClock() - task.startedAt) / SLICE_US);
  const late = random.chance(0.05) ? 1 : 0;
  return `${kind}-${Math.max(0, slice - late)}`;
}
