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

/** The calls of a store that fail, and whether they fail before or after their effect. */
export interface StoreFault {
  /** The number of the first call that fails, from 0. */
  readonly call: number;
  readonly when: "before" | "after";
  readonly code: (typeof FAULT_CODES)[number];
  /** The number of the last call that fails. @default `call` */
  readonly through?: number;
}

/** A store with failing calls. */
export interface FailingStore {
  readonly store: SessionStore;
  /** A store on the same sessions that never fails. */
  readonly sound: SessionStore;
  /** The calls that were made, in order: "read", or the operations of a commit. */
  readonly calls: readonly string[];
}

/**
 * A memory store with failing calls. Without a fault it only records the calls. A call fails in the backend, below
 * `createStore`. Calls that a turn makes in the background are not recorded and do not fail.
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
