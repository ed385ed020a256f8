import {
  type CommitOutcome,
  type CommitRequest,
  type SessionBackend,
  SessionError,
  type StoreDescription,
} from "@sessions/protocol/backend";
import { Acknowledged } from "./acknowledged.js";

/** What is wrong with a place at the moment. */
export interface Faults {
  readonly damaged: Set<string>;
  newer: boolean;
  unreachable: boolean;
}

/** A backend that behaves as a durable one does when its data or its engine has these faults. */
export function faultyBackend(backend: SessionBackend, faults: Faults): SessionBackend {
  const acknowledged = new Acknowledged(backend);
  const leftOut = new Set<string>();
  const intact = async (sessionId: string, background = false): Promise<void> => {
    refuseAll(faults);
    if (faults.damaged.has(sessionId)) throw corrupted(sessionId);
    await acknowledged.check(sessionId, background);
  };
  const commitOne = async (request: CommitRequest): Promise<CommitOutcome> => {
    try {
      await intact(request.sessionId, request.background);
    } catch (error) {
      if (SessionError.is(error, "SESSION_CORRUPTED", "DATA_LOST")) return { status: "rejected", error };
      throw error;
    }
    const [outcome] = await backend.commit([request]);
    if (outcome === undefined) throw new Error("a backend gives one outcome for each request");
    acknowledged.note(request, outcome);
    return outcome;
  };
  return {
    capabilities: { ...backend.capabilities, durable: { supported: true } },
    commit: async (requests) => {
      const outcomes: CommitOutcome[] = [];
      for (const request of requests) outcomes.push(await commitOne(request));
      return outcomes;
    },
    read: async (sessionId, select) => {
      await intact(sessionId, select.background);
      return backend.read(sessionId, select);
    },
    document: async (sessionId) => {
      await intact(sessionId);
      return backend.document(sessionId);
    },
    verify: async (sessionId) => {
      await intact(sessionId);
      return backend.verify(sessionId);
    },
    list: async (query) => {
      refuseAll(faults);
      const page = await backend.list(query);
      for (const { id } of page.items) if (faults.damaged.has(id)) leftOut.add(id);
      return { ...page, items: page.items.filter(({ id }) => !faults.damaged.has(id)) };
    },
    async *watch(target, signal) {
      if (target.session !== undefined) await intact(target.session, true);
      for await (const change of backend.watch(target, signal))
        if (!faults.damaged.has(change.sessionId)) yield change;
    },
    describe: async () => withWarnings(await backend.describe(), leftOut),
    close: () => backend.close(),
  };
}

function withWarnings(description: StoreDescription, leftOut: ReadonlySet<string>): StoreDescription {
  const warnings = [...leftOut].map((id) => `Session "${id}" is damaged and was left out of a list.`);
  return { ...description, warnings: [...description.warnings, ...warnings] };
}

export function refuseAll({ newer, unreachable }: Faults): void {
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
