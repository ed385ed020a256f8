import type { CommitRequest } from "../backend/commit-request.js";
import type { LeaseClock } from "../backend/lease-time.js";
import type { SessionBackend } from "../backend/session-backend.js";
import { concernsLeases } from "../state/lease.js";
import type { StaleLeases } from "../turns/stale-leases.js";

/** The part of a backend that leases are taken, judged and seen through. */
type LeaseAccess = Pick<SessionBackend, "commit" | "read">;

/** The same backend: requests that concern leases carry what this store knows of them, and reads add to that knowledge. */
export function leasedBackend(
  backend: LeaseAccess,
  leaseClock: LeaseClock,
  leases: StaleLeases,
): LeaseAccess {
  const stamped = (request: CommitRequest): CommitRequest => {
    if (!concernsLeases(request)) return request;
    const unchangedLeases = leases.unchanged(request.sessionId);
    return {
      ...request,
      leaseTime: { domain: leaseClock.domain, now: leaseClock.now() },
      ...(unchangedLeases.length === 0 ? {} : { unchangedLeases }),
    };
  };
  return {
    commit: (requests, written) =>
      backend.commit(requests.some(concernsLeases) ? requests.map(stamped) : requests, written),
    async read(sessionId, select) {
      const record = await backend.read(sessionId, select);
      leases.observe(sessionId, record);
      return record;
    },
  };
}
