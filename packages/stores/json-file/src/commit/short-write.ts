import { applyCommit, type CommitOutcome, type CommitRequest } from "@sessions/protocol/backend";
import { storeFull } from "../error-mapping.js";
import type { Segment } from "../session/segment.js";

/** What became of one request of a short write, by the segment as it is now: it landed, or there was no room for it. */
export function landedOutcome(head: Segment, request: CommitRequest): CommitOutcome {
  const { outcome } = applyCommit(head.fold.state, request);
  return outcome.status === "applied" ? { status: "rejected", error: storeFull(head.path) } : outcome;
}
