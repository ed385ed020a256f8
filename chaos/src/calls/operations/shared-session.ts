import { sharedClock } from "@sessions/conformance/multi-process";
import type { OperationContext } from "./operation-context.js";

/**
 * The operations of a session depend on its kind, so that the log can be judged exactly. For example, a message that one
 * process archives while another drops it from the history stays archived, so "edits" are never archived.
 */
export type SharedKind = "chat" | "edits" | "branch" | "turns";

const SLICE_MICROSECONDS = 10_000_000;

/** The session of this kind that all processes use now. A new one begins every ten seconds, which bounds the size of reads. */
export function sharedSession({ task, random }: OperationContext, kind: SharedKind): string {
  const slice = Math.floor((sharedClock() - task.startedAt) / SLICE_MICROSECONDS);
  const previous = random.chance(0.05) ? 1 : 0;
  return `${kind}-${Math.max(0, slice - previous)}`;
}
