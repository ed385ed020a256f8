import { createMemoryData, type MemoryData } from "@sessions/memory";
import { MemoryBackend } from "@sessions/memory/maintenance";
import {
  createStore,
  type Selection,
  type SessionBackend,
  SessionError,
  type SessionStore,
  systemClock,
} from "@sessions/protocol/backend";

/** The codes with which a store may fail at any time. */
export const FAULT_CODES = ["STORE_BUSY", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN", "TURN_LOST"] as const;

/** Which call of a store fails, and how: instead of having its effect, or after it. */
export interface StoreFault {
  /** The number of the call, from 0. */
  readonly call: number;
  readonly when: "before" | "after";
  readonly code: (typeof FAULT_CODES)[number];
  /** The number of the last call that fails: an outage. @default `call` alone */
  readonly through?: number;
}

/** A store one call of which fails. */
export interface FailingStore {
  readonly store: SessionStore;
  /** The same sessions, by a store that never fails. */
  readonly sound: SessionStore;
  /** The calls that were made, in order: "read", or the operations of a commit. */
  readonly calls: readonly string[];
}

/**
 * A store on the memory of this process, one call of which fails once; without a fault it only counts. The call fails
 * below `createStore`, where an engine fails too. What a turn does by itself in the background is neither counted nor fails.
 */
export function failingStore(fault?: StoreFault, data: MemoryData = createMemoryData()): FailingStore {
  const now = (): number => systemClock.now();
  const calls: string[] = [];
  const backend = failingBackend(new MemoryBackend(data, now), calls, fault);
  return { store: createStore(backend), sound: createStore(new MemoryBackend(data, now)), calls };
}

function failingBackend(
  backend: SessionBackend,
  calls: string[],
  fault: StoreFault | undefined,
): SessionBackend {
  async function counted<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
    const number = calls.push(name) - 1;
    const failing = fault !== undefined && isWithin(fault, number) ? fault : undefined;
    if (failing?.when === "before") throw injected(failing, name);
    const result = await call();
    if (failing !== undefined) throw injected(failing, name);
    return result;
  }
  return {
    capabilities: backend.capabilities,
    async commit(requests) {
      const send = async () => backend.commit(requests);
      if (requests.every(({ background }) => background === true)) return send();
      return counted(requests.flatMap(({ ops }) => ops.map(operationName)).join("+"), send);
    },
    read(sessionId, select: Selection) {
      const read = () => backend.read(sessionId, select);
      return select.background === true ? read() : counted("read", read);
    },
    document: (sessionId) => counted("document", () => backend.document(sessionId)),
    list: (query) => counted("list", () => backend.list(query)),
    verify: (sessionId) => counted("verify", () => backend.verify(sessionId)),
    watch: (target, signal) => backend.watch(target, signal),
    describe: () => backend.describe(),
    close: () => backend.close(),
  };
}

function isWithin({ call, through = call }: StoreFault, number: number): boolean {
  return number >= call && number <= through;
}

function operationName(operation: { readonly op: string; readonly action?: string }): string {
  return operation.action === undefined ? operation.op : `${operation.op}.${operation.action}`;
}

function injected({ code, when }: StoreFault, name: string): SessionError {
  const message = `Injected ${when} ${name}.`;
  if (code === "OUTCOME_UNKNOWN") return SessionError.of(code, message, { commitId: "unknown" });
  return code === "TURN_LOST"
    ? SessionError.of(code, message, { reason: "taken-over" })
    : SessionError.of(code, message, { waitedMs: 0 });
}
