import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { LeaseClock } from "../backend/lease-time.js";
import type { SessionBackend } from "../backend/session-backend.js";
import { SessionError } from "../errors/session-error.js";
import type { ObservedLeases } from "../leases/observed-leases.js";
import type { LoopShare } from "../platform/loop-share.js";
import { concernsLeases } from "../state/lease.js";

/** What the guarded backend uses. */
interface Guards {
  readonly leaseClock: LeaseClock;
  readonly leases: ObservedLeases;
  readonly share: LoopShare;
}

/**
 * Wraps a backend. Reads wait for their share of the event loop and fail only with typed errors. Requests that concern
 * leases carry what this store knows about them, and reads update that knowledge.
 */
export function guardedBackend(backend: SessionBackend, guards: Guards): SessionBackend {
  const { leases, share } = guards;
  const { capabilities, search } = backend;
  const guarded = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    await share.begin();
    try {
      return await read();
    } catch (error) {
      throw asTyped(error);
    }
  };
  return {
    capabilities,
    commit: (requests) => commitWithLeases(backend, requests, guards),
    read: (sessionId, select) =>
      guarded(async () => {
        const record = await backend.read(sessionId, select);
        leases.observe(sessionId, record);
        return record;
      }),
    document: (sessionId) => guarded(() => backend.document(sessionId)),
    list: (query) => guarded(() => backend.list(query)),
    async *watch(target, signal) {
      try {
        yield* backend.watch(target, signal);
      } catch (error) {
        throw asTyped(error);
      }
    },
    verify: (sessionId) => guarded(() => backend.verify(sessionId)),
    ...(search === undefined ? {} : { search: (query) => guarded(() => search.call(backend, query)) }),
    describe: () => guarded(() => backend.describe()),
    close: () => backend.close(),
  };
}

function commitWithLeases(
  backend: SessionBackend,
  requests: readonly CommitRequest[],
  { leaseClock, leases }: Guards,
): Promise<readonly CommitOutcome[]> {
  if (!requests.some(concernsLeases)) return backend.commit(requests);
  const leaseTime = { domain: leaseClock.domain, now: leaseClock.now() };
  return backend.commit(
    requests.map((request) => {
      if (!concernsLeases(request)) return request;
      const unchangedLeases = leases.unchanged(request.sessionId);
      return { ...request, leaseTime, ...(unchangedLeases.length === 0 ? {} : { unchangedLeases }) };
    }),
  );
}

function asTyped(error: unknown): SessionError {
  if (SessionError.is(error)) return error;
  return SessionError.of("STORE_UNAVAILABLE", "The store could not be read; see the cause.", {
    cause: error,
  });
}
