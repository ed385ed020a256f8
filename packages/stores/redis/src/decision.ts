import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  type Operation,
  SERVER_DOMAIN,
  type SessionState,
  stateAt,
} from "@sessions/protocol/backend";
import { endPatch } from "./end-patch.js";
import { type Indexing, indexing } from "./indexing.js";
import { LifePatch } from "./life-patch.js";
import type { Moment } from "./moment.js";
import type { Change, Patch } from "./patch.js";
import type { StagedMessages } from "./staged.js";

/** What requests come to. */
export interface Decision {
  readonly moment: Moment;
  readonly outcomes: readonly CommitOutcome[];
  /** What has to be written, if anything. */
  readonly writing: Writing | undefined;
}

export interface Writing {
  readonly patch: Patch;
  readonly indexing: Indexing;
  /** The last of the requests that were applied and are remembered. Renewals of a turn are not. */
  readonly commitId: string | undefined;
  readonly after: SessionState;
}

/** Decides requests one after the other, at the server's time. Throws `Missing` for what has to be read first. */
export function decide(
  moment: Moment,
  requests: readonly CommitRequest[],
  staged: StagedMessages | undefined,
  nonce: () => string,
): Decision {
  const at = timeOf(moment, staged);
  const leaseTime = { domain: SERVER_DOMAIN, now: at };
  const outcomes: CommitOutcome[] = [];
  const ops: Operation[] = [];
  let commitId: string | undefined;
  let isWritten = false;
  let after = moment.state;
  for (const request of requests) {
    const { outcome, state } = applyCommit(after, { ...request, at, leaseTime });
    outcomes.push(outcome);
    if (outcome.status !== "applied") continue;
    if (outcome.revision > (after?.revision ?? 0)) commitId = request.id;
    isWritten = true;
    after = state;
    ops.push(...request.ops);
  }
  if (after === undefined || !isWritten) return { moment, outcomes, writing: undefined };
  const indexed = indexing(stateAt(moment.state, at), moment.present?.head.lease ?? 0, after, ops);
  const patch = patchOf({ moment, after, ops, staged, at, lease: indexed.lease, nonce });
  return { moment, outcomes, writing: { patch, indexing: indexed, commitId, after } };
}

function patchOf(change: Change): Patch {
  const { after } = change;
  return after.status === "live" ? new LifePatch(change, after).make() : endPatch(change, after);
}

/** Messages that were written ahead have a time already. It is the commit's, unless the session has ended since. */
function timeOf({ state, now }: Moment, staged: StagedMessages | undefined): number {
  return staged !== undefined && stateAt(state, now) === state ? staged.place.at : now;
}
