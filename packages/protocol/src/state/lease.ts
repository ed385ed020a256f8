import type { CommitRequest } from "../backend/commit-request.js";
import type { TurnState } from "../backend/session-record.js";
import type { Operation } from "../operations/operation.js";
import type { LeaseVersion } from "../operations/turn-operation.js";

/** When a turn or a ticket expires. */
type LeaseEnd = Pick<TurnState, "expiresAt" | "domain" | "until">;

/** What the writer of a commit knows of leases. */
type LeaseKnowledge = Pick<CommitRequest, "at" | "leaseTime" | "unchangedLeases">;

/** The end of a lease that is taken or renewed now. */
export function leaseEnd(ttlMs: number, { at, leaseTime }: LeaseKnowledge): LeaseEnd {
  const expiresAt = at + ttlMs;
  if (leaseTime === undefined) return { expiresAt };
  return { expiresAt, domain: leaseTime.domain, until: leaseTime.now + ttlMs };
}

/**
 * Whether a lease may be taken over: its own clock says that it has expired, or the writer has seen it unchanged for
 * its whole time to live. Wall time decides only for leases and requests of earlier versions, which have no other time:
 * the wall clocks of two processes may be hours apart.
 */
export function isLeaseOver(lease: LeaseEnd & LeaseVersion, known: LeaseKnowledge): boolean {
  const { at, leaseTime, unchangedLeases = [] } = known;
  const isSameDomain = lease.domain === leaseTime?.domain;
  if (isSameDomain && (lease.until ?? lease.expiresAt) <= (leaseTime?.now ?? at)) return true;
  return unchangedLeases.some((seen) => seen.token === lease.token && seen.renewals === lease.renewals);
}

/** Whether a request takes, renews or judges leases, and therefore must carry what its writer knows about them. */
export function concernsLeases({ ops, ifIdle }: Pick<CommitRequest, "ops" | "ifIdle">): boolean {
  return ifIdle === true || ops.some(operationConcernsLeases);
}

function operationConcernsLeases(op: Operation): boolean {
  if (op.op === "turn") return op.action === "begin" || op.action === "queue" || op.action === "renew";
  return op.op === "splice" || op.op === "restore" || op.op === "adopt";
}
