import type { Place } from "@sessions/conformance";
import {
  type CommitOutcome,
  type CommitRequest,
  createStore,
  type SessionBackend,
  SessionError,
} from "@sessions/protocol";
import { memoryPlace } from "./memory-place.js";

/**
 * Memory that can be damaged, dated ahead and cut off. It stands in for a durable engine so that the sections about
 * these are themselves tested here: that they pass what behaves, and that their controls do not pass.
 */
export function damageablePlace(): Place {
  const place = memoryPlace();
  const faults = { damaged: new Set<string>(), newer: false, unreachable: false };
  const openBackend = async (): Promise<SessionBackend> => {
    refuseAll(faults);
    return guarded(await place.openBackend(), faults);
  };
  return {
    openBackend,
    open: async () => createStore(await openBackend()),
    corrupt: async (sessionId) => void faults.damaged.add(sessionId),
    newerFormat: async () => {
      faults.newer = true;
    },
    interrupt: async () => {
      faults.unreachable = true;
      return async () => {
        faults.unreachable = false;
      };
    },
    cleanup: () => place.cleanup(),
  };
}

interface Faults {
  readonly damaged: ReadonlySet<string>;
  readonly newer: boolean;
  readonly unreachable: boolean;
}

function guarded(backend: SessionBackend, faults: Faults): SessionBackend {
  const intact = <Result>(sessionId: string, call: () => Promise<Result>): Promise<Result> => {
    if (faults.damaged.has(sessionId)) throw corrupted(sessionId);
    return call();
  };
  const commitOne = async (request: CommitRequest): Promise<CommitOutcome> => {
    if (faults.damaged.has(request.sessionId))
      return { status: "rejected", error: corrupted(request.sessionId) };
    const [outcome] = await backend.commit([request]);
    if (outcome === undefined) throw new Error("a backend gives one outcome for each request");
    return outcome;
  };
  return {
    capabilities: { ...backend.capabilities, durable: { supported: true } },
    commit: async (requests) => {
      refuseAll(faults);
      const outcomes: CommitOutcome[] = [];
      for (const request of requests) outcomes.push(await commitOne(request));
      return outcomes;
    },
    read: async (sessionId, select) => {
      refuseAll(faults);
      return intact(sessionId, () => backend.read(sessionId, select));
    },
    document: async (sessionId) => intact(sessionId, () => backend.document(sessionId)),
    verify: async (sessionId) => intact(sessionId, () => backend.verify(sessionId)),
    list: async (query) => {
      refuseAll(faults);
      return backend.list(query);
    },
    watch: (target, signal) => backend.watch(target, signal),
    describe: () => backend.describe(),
    close: () => backend.close(),
  };
}

function refuseAll({ newer, unreachable }: Faults): void {
  if (unreachable)
    throw SessionError.of("STORE_UNAVAILABLE", "The engine cannot be reached. Try again later.", {});
  if (newer)
    throw SessionError.of("FORMAT_UNSUPPORTED", "Written by a newer version. Update to read it.", {
      found: 2,
      supported: 1,
    });
}

function corrupted(sessionId: string): SessionError {
  const message = `What is stored of session "${sessionId}" cannot be read. Restore it from a backup.`;
  return SessionError.of("SESSION_CORRUPTED", message, { sessionId, location: `memory of ${sessionId}` });
}
