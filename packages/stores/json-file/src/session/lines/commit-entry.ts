import type { CommitRequest } from "@sessions/protocol/backend";
import type { CommitEntry } from "./journal-line.js";

/** A request as it stands in the journal. Preconditions are left out: they were checked against the lines before it. */
export function entryOf(request: CommitRequest, revision: number): CommitEntry {
  const { id, at, digest, fence, receipt, ops, leaseTime, unchangedLeases } = request;
  const entry: Mutable<CommitEntry> = { r: revision, k: id, t: at, ops };
  if (digest !== undefined) entry.d = digest;
  if (fence !== undefined) entry.f = fence;
  if (receipt !== undefined) entry.x = receipt;
  if (leaseTime !== undefined) entry.l = [leaseTime.domain, leaseTime.now];
  if (unchangedLeases !== undefined)
    entry.s = unchangedLeases.map(({ token, renewals }) => [token, renewals] as const);
  return entry;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The request that an entry was made of. */
export function requestOf(sessionId: string, { k, t, d, f, x, l, s, ops }: CommitEntry): CommitRequest {
  const request: Mutable<CommitRequest> = { sessionId, id: k, at: t, ops };
  if (d !== undefined) request.digest = d;
  if (f !== undefined) request.fence = f;
  if (x !== undefined) request.receipt = x;
  if (l !== undefined) request.leaseTime = { domain: l[0], now: l[1] };
  if (s !== undefined) request.unchangedLeases = s.map(([token, renewals]) => ({ token, renewals }));
  return request;
}
