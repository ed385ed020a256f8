import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  type Operation,
  SERVER_DOMAIN,
  type SessionState,
  stateAt,
  TOMBSTONE_MS,
} from "@sessions/protocol/backend";
import type { LoadedSession } from "@sessions/row-engine";

/** What requests come to. */
export interface Decision {
  readonly outcomes: readonly CommitOutcome[];
  /** What has become of the session, if it has changed. */
  readonly change: StateChange | undefined;
}

export interface StateChange {
  readonly before: LoadedSession | undefined;
  readonly after: SessionState;
  readonly ops: readonly Operation[];
  readonly at: number;
  /** The last of the requests that were applied and are remembered; none if a turn was renewed and nothing else. */
  readonly commitId: string | undefined;
}

/** Decides requests one after the other, at the server's time. Throws `ReadRequired` for what has to be read first. */
export function decide(
  before: LoadedSession | undefined,
  requests: readonly CommitRequest[],
  at: number,
): Decision {
  const leaseTime = { domain: SERVER_DOMAIN, now: at };
  const outcomes: CommitOutcome[] = [];
  const ops: Operation[] = [];
  let commitId: string | undefined;
  let isChanged = false;
  let after = unlessForgotten(before?.state, at);
  for (const request of requests) {
    const { outcome, state } = applyCommit(after, { ...request, at, leaseTime });
    outcomes.push(outcome);
    if (outcome.status !== "applied") continue;
    if (outcome.revision > (after?.revision ?? 0)) commitId = request.id;
    isChanged = true;
    after = state;
    ops.push(...request.ops);
  }
  if (after === undefined || !isChanged) return { outcomes, change: undefined };
  return { outcomes, change: { before, after, ops, at, commitId } };
}

/** A tombstone counts for a limited time. */
function unlessForgotten(state: SessionState | undefined, at: number): SessionState | undefined {
  const now = stateAt(state, at);
  return now?.status === "deleted" && now.deletedAt + TOMBSTONE_MS <= at ? undefined : state;
}
