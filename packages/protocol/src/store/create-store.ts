import { MUTATION_OPTIONS } from "../api/mutation.js";
import type { SessionHandle } from "../api/session-handle.js";
import type { SessionStore } from "../api/session-store.js";
import { invalid } from "../arguments/invalid-argument.js";
import { field } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import type { Capabilities } from "../backend/capabilities.js";
import type { SessionBackend } from "../backend/session-backend.js";
import type { StoreDescription } from "../backend/store-description.js";
import type { Verification } from "../backend/verification.js";
import { commitOperation } from "../commit/commit-operation.js";
import { guardedBackend } from "../context/guarded-backend.js";
import { Lifecycle } from "../context/lifecycle.js";
import type { StoreContext } from "../context/store-context.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import { createUuidV7 } from "../ids/uuid-v7.js";
import { isRecord } from "../json/record.js";
import { LocalWaitQueues } from "../leases/local-wait-queue.js";
import { ObservedLeases } from "../leases/observed-leases.js";
import { processLeaseClock } from "../leases/process-lease-clock.js";
import * as archives from "../methods/archives.js";
import * as bundles from "../methods/bundles.js";
import * as general from "../methods/commit.js";
import { createSession } from "../methods/create-session.js";
import * as hierarchy from "../methods/forks/hierarchy.js";
import { getChatHistory } from "../methods/get-chat-history.js";
import { getContext } from "../methods/get-context.js";
import { listSessions } from "../methods/list-sessions.js";
import * as messages from "../methods/messages.js";
import { setChatHistory } from "../methods/replace-history/set-chat-history.js";
import { searchWith } from "../methods/search.js";
import * as sessions from "../methods/sessions.js";
import * as snapshots from "../methods/snapshots.js";
import { settleArchive } from "../operations/builders.js";
import { type LoopShare, loopShare } from "../platform/loop-share.js";
import { CommitQueue } from "../queue/commit-queue.js";
import { batchSender } from "../queue/send-batch.js";
import { readWithoutOptions } from "../reading/run-read.js";
import { watchChanges } from "../reading/watch-changes.js";
import { beginTurn } from "../turns/begin-turn.js";
import { runTurn } from "../turns/run-turn.js";
import { BoundSession } from "./bound-session.js";
import { requireStoreOptions, type StoreOptions } from "./store-options.js";

/**
 * Creates a store on a backend. It validates arguments, generates ids, plans, queues, batches and retries commits, and
 * closes the backend.
 */
export function createStore(backend: SessionBackend, options: StoreOptions = {}): SessionStore {
  return createStoreWithShare(loopShare, backend, options);
}

/** The same with another share of the event loop, for tests. */
export function createStoreWithShare(
  share: LoopShare,
  backend: SessionBackend,
  options: StoreOptions = {},
): SessionStore {
  return new Store(contextOf(backend, options, share));
}

function contextOf(backend: SessionBackend, options: StoreOptions, share: LoopShare): StoreContext {
  requireBackend(backend);
  const { clock, ids, limits, conflictDeadlineMs } = requireStoreOptions(options);
  const leaseClock = backend.leaseClock ?? processLeaseClock(clock);
  const leases = new ObservedLeases(clock, leaseClock);
  const guarded = guardedBackend(backend, { leaseClock, leases, share });
  const { groupCommit } = backend.capabilities;
  return {
    backend: guarded,
    queue: new CommitQueue({ sendBatch: batchSender(guarded, clock), groupCommit, share }),
    share,
    lifecycle: new Lifecycle(),
    waitQueues: new LocalWaitQueues(),
    leases,
    clock,
    ids:
      ids ??
      createUuidV7(
        () => clock.now(),
        (bytes) => crypto.getRandomValues(bytes),
      ),
    random: Math.random,
    limits,
    conflictDeadlineMs,
  };
}

function requireBackend(backend: unknown): void {
  if (isRecord(backend) && typeof backend["commit"] === "function" && isRecord(backend["capabilities"]))
    return;
  throw invalid("backend", "must be a SessionBackend.");
}

const INTERRUPT_OPTIONS = { ...MUTATION_OPTIONS, turnId: true, force: true } as const;

type Method<Name extends keyof SessionStore> = SessionStore[Name];

/** The one implementation of `SessionStore`. Each method is one line here and a function in `methods` or `turns`. */
class Store implements SessionStore {
  readonly capabilities: Capabilities;
  readonly #context: StoreContext;
  #closed: Promise<void> | undefined;
  readonly search?: NonNullable<SessionStore["search"]>;

  constructor(context: StoreContext) {
    this.#context = context;
    const { backend } = context;
    this.capabilities = backend.capabilities;
    const { search } = backend;
    if (search !== undefined) this.search = (query) => searchWith(context, search, query);
  }

  createSession: Method<"createSession"> = (...call) => createSession(this.#context, ...call);
  getSession: Method<"getSession"> = (...call) => sessions.getSession(this.#context, ...call);
  getMessages: Method<"getMessages"> = (...call) => sessions.getMessages(this.#context, ...call);
  sessionExists: Method<"sessionExists"> = async (...call) =>
    (await sessions.getSummary(this.#context, ...call)) !== undefined;
  listSessions: Method<"listSessions"> = (...call) => listSessions(this.#context, ...call);
  patchSession: Method<"patchSession"> = (...call) => sessions.patchSession(this.#context, ...call);
  deleteSession: Method<"deleteSession"> = (...call) => sessions.deleteSession(this.#context, ...call);

  addMessage: Method<"addMessage"> = (...call) => messages.addMessage(this.#context, ...call);
  getChatHistory: Method<"getChatHistory"> = (...call) => getChatHistory(this.#context, ...call);
  setChatHistory: Method<"setChatHistory"> = (...call) => setChatHistory(this.#context, ...call);
  updateMessage: Method<"updateMessage"> = (...call) => messages.updateMessage(this.#context, ...call);
  removeMessages: Method<"removeMessages"> = (...call) => messages.removeMessages(this.#context, ...call);
  popMessage: Method<"popMessage"> = (...call) => messages.popMessage(this.#context, ...call);
  clearSession: Method<"clearSession"> = (...call) => messages.clearSession(this.#context, ...call);

  updateSessionMetadata: Method<"updateSessionMetadata"> = (id, metadata, options) =>
    commitOperation(
      this.#context,
      id,
      "updateSessionMetadata",
      { op: "set", metadata: metadata ?? null },
      options,
    );
  incrementCounters: Method<"incrementCounters"> = (id, deltas, options) =>
    commitOperation(this.#context, id, "incrementCounters", { op: "count", deltas }, options);

  forkSession: Method<"forkSession"> = (...call) => hierarchy.forkSession(this.#context, ...call);
  getChildren: Method<"getChildren"> = (...call) => hierarchy.getChildren(this.#context, ...call);
  getParent: Method<"getParent"> = (...call) => hierarchy.getParent(this.#context, ...call);
  getSessionTree: Method<"getSessionTree"> = (...call) => hierarchy.getSessionTree(this.#context, ...call);
  createSnapshot: Method<"createSnapshot"> = (...call) => snapshots.createSnapshot(this.#context, ...call);
  listSnapshots: Method<"listSnapshots"> = async (...call) => [
    ...((await sessions.getSummary(this.#context, ...call))?.snapshots ?? []),
  ];
  revertToSnapshot: Method<"revertToSnapshot"> = (...call) =>
    snapshots.revertToSnapshot(this.#context, ...call);
  revertToMessage: Method<"revertToMessage"> = (...call) => snapshots.revertToMessage(this.#context, ...call);
  dropSnapshot: Method<"dropSnapshot"> = (id, name, options) =>
    commitOperation(this.#context, id, "dropSnapshot", { op: "drop-snapshot", name }, options);
  exportSession: Method<"exportSession"> = (...call) => bundles.exportSession(this.#context, ...call);
  importSession: Method<"importSession"> = (...call) => bundles.importSession(this.#context, ...call);

  archiveMessages: Method<"archiveMessages"> = (...call) => archives.archiveMessages(this.#context, ...call);
  settleArchive: Method<"settleArchive"> = async (id, archiveId, result, options) => {
    return commitOperation(this.#context, id, "settleArchive", settleArchive(archiveId, result), options);
  };
  listArchives: Method<"listArchives"> = async (...call) => [
    ...((await sessions.getSummary(this.#context, ...call))?.archives ?? []),
  ];
  getArchive: Method<"getArchive"> = (...call) => archives.getArchive(this.#context, ...call);
  getContext: Method<"getContext"> = (...call) => getContext(this.#context, ...call);

  runTurn: Method<"runTurn"> = (...call) => runTurn(this.#context, ...call);
  beginTurn: Method<"beginTurn"> = (...call) => beginTurn(this.#context, ...call);
  interruptTurn: Method<"interruptTurn"> = async (id, interruption = {}) => {
    const { turnId, force, ...options } = requireOptions(interruption, INTERRUPT_OPTIONS);
    const operation = {
      op: "turn",
      action: "interrupt",
      ...field("turnId", turnId),
      ...field("force", force),
    };
    return commitOperation(this.#context, id, "interruptTurn", operation, options);
  };

  commit: Method<"commit"> = (...call) => general.commit(this.#context, ...call);
  updateSession: Method<"updateSession"> = (...call) => general.updateSession(this.#context, ...call);

  watch: Method<"watch"> = (target) => watchChanges(this.#context, target);
  session: Method<"session"> = (id): SessionHandle =>
    new BoundSession(this, requireId(id, "id", this.#context.limits));

  describe(): Promise<StoreDescription> {
    return readWithoutOptions(this.#context, () => this.#context.backend.describe());
  }

  verify(id: string): Promise<Verification> {
    return readWithoutOptions(this.#context, async () => {
      requireId(id, "id", this.#context.limits);
      const verification = await this.#context.backend.verify(id);
      if (verification === undefined) throw sessionNotFound(id);
      return verification;
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { lifecycle, queue, backend } = this.#context;
    await lifecycle.close();
    await queue.drain();
    await backend.close();
  }
}
