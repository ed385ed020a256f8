import type { SessionHandle } from "../api/session-handle.js";
import type { SessionStore } from "../api/session-store.js";
import { requireOptions } from "../arguments/options.js";

type Method<Name extends keyof SessionHandle> = SessionHandle[Name];

/** One session of a store. */
export class BoundSession implements SessionHandle {
  readonly id: string;
  readonly #store: SessionStore;

  constructor(store: SessionStore, id: string) {
    this.#store = store;
    this.id = id;
  }

  readonly createSession: Method<"createSession"> = (...call) => this.#store.createSession(this.id, ...call);
  readonly getSession: Method<"getSession"> = (...call) => this.#store.getSession(this.id, ...call);
  readonly getMessages: Method<"getMessages"> = (...call) => this.#store.getMessages(this.id, ...call);
  readonly sessionExists: Method<"sessionExists"> = (...call) => this.#store.sessionExists(this.id, ...call);
  readonly patchSession: Method<"patchSession"> = (...call) => this.#store.patchSession(this.id, ...call);
  readonly deleteSession: Method<"deleteSession"> = (...call) => this.#store.deleteSession(this.id, ...call);
  readonly addMessage: Method<"addMessage"> = (...call) => this.#store.addMessage(this.id, ...call);
  readonly getChatHistory: Method<"getChatHistory"> = (...call) =>
    this.#store.getChatHistory(this.id, ...call);
  readonly setChatHistory: Method<"setChatHistory"> = (...call) =>
    this.#store.setChatHistory(this.id, ...call);
  readonly updateMessage: Method<"updateMessage"> = (...call) => this.#store.updateMessage(this.id, ...call);
  readonly removeMessages: Method<"removeMessages"> = (...call) =>
    this.#store.removeMessages(this.id, ...call);
  readonly popMessage: Method<"popMessage"> = (...call) => this.#store.popMessage(this.id, ...call);
  readonly clearSession: Method<"clearSession"> = (...call) => this.#store.clearSession(this.id, ...call);
  readonly updateSessionMetadata: Method<"updateSessionMetadata"> = (...call) =>
    this.#store.updateSessionMetadata(this.id, ...call);
  readonly incrementCounters: Method<"incrementCounters"> = (...call) =>
    this.#store.incrementCounters(this.id, ...call);
  readonly forkSession: Method<"forkSession"> = (...call) => this.#store.forkSession(this.id, ...call);
  readonly getChildren: Method<"getChildren"> = (...call) => this.#store.getChildren(this.id, ...call);
  readonly getParent: Method<"getParent"> = (...call) => this.#store.getParent(this.id, ...call);
  readonly getSessionTree: Method<"getSessionTree"> = (...call) =>
    this.#store.getSessionTree(this.id, ...call);
  readonly createSnapshot: Method<"createSnapshot"> = (...call) =>
    this.#store.createSnapshot(this.id, ...call);
  readonly listSnapshots: Method<"listSnapshots"> = (...call) => this.#store.listSnapshots(this.id, ...call);
  readonly revertToSnapshot: Method<"revertToSnapshot"> = (...call) =>
    this.#store.revertToSnapshot(this.id, ...call);
  readonly revertToMessage: Method<"revertToMessage"> = (...call) =>
    this.#store.revertToMessage(this.id, ...call);
  readonly dropSnapshot: Method<"dropSnapshot"> = (...call) => this.#store.dropSnapshot(this.id, ...call);
  readonly exportSession: Method<"exportSession"> = (...call) => this.#store.exportSession(this.id, ...call);
  readonly archiveMessages: Method<"archiveMessages"> = (...call) =>
    this.#store.archiveMessages(this.id, ...call);
  readonly settleArchive: Method<"settleArchive"> = (...call) => this.#store.settleArchive(this.id, ...call);
  readonly listArchives: Method<"listArchives"> = (...call) => this.#store.listArchives(this.id, ...call);
  readonly getArchive: Method<"getArchive"> = (...call) => this.#store.getArchive(this.id, ...call);
  readonly getContext: Method<"getContext"> = (...call) => this.#store.getContext(this.id, ...call);
  readonly runTurn: Method<"runTurn"> = (...call) => this.#store.runTurn(this.id, ...call);
  readonly beginTurn: Method<"beginTurn"> = (...call) => this.#store.beginTurn(this.id, ...call);
  readonly interruptTurn: Method<"interruptTurn"> = (...call) => this.#store.interruptTurn(this.id, ...call);
  readonly commit: Method<"commit"> = (...call) => this.#store.commit(this.id, ...call);
  readonly updateSession: Method<"updateSession"> = (...call) => this.#store.updateSession(this.id, ...call);
  readonly verify: Method<"verify"> = (...call) => this.#store.verify(this.id, ...call);
  readonly watch: Method<"watch"> = (options = {}) => {
    try {
      const checked = requireOptions(options, { since: true, signal: "signal" });
      return this.#store.watch({ ...checked, session: this.id });
    } catch (error) {
      return failed(error);
    }
  };
}

/** Fails when it is iterated, like every feed. */
// biome-ignore lint/correctness/useYield: it has nothing to yield
async function* failed(error: unknown): AsyncGenerator<never> {
  throw error;
}
