import type { Capabilities } from "../../src/backend/capabilities.js";
import type { Change, WatchTarget } from "../../src/backend/change.js";
import type { CommitOutcome } from "../../src/backend/commit-outcome.js";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import type { Page } from "../../src/backend/list-query.js";
import type { Selection } from "../../src/backend/selection.js";
import type { SessionBackend, SummaryRecord } from "../../src/backend/session-backend.js";
import type { SessionRecord } from "../../src/backend/session-record.js";
import type { StoreDescription } from "../../src/backend/store-description.js";
import type { Verification } from "../../src/backend/verification.js";
import type { SessionDocument } from "../../src/session/session-document.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { documentOf } from "../../src/state/documents/document-of.js";
import { readState } from "../../src/state/reads/read-state.js";
import type { LiveState, SessionState } from "../../src/state/session-state.js";

/** Delays and failures around each call. */
export interface CallHooks {
  /** Runs before the call has an effect. If it fails, nothing was done. */
  readonly before: (what: string) => Promise<void>;
  /** Runs after the call had its effect. If it fails, the reply is lost. */
  readonly after: (what: string) => Promise<void>;
}

const NO_HOOKS: CallHooks = { before: async () => undefined, after: async () => undefined };

const ABSENT = { supported: false, reason: "This backend is for tests of the queue." } as const;

/** The smallest backend: a map of states, with injected delays and failures. */
export class MapBackend implements SessionBackend {
  readonly capabilities: Capabilities;
  readonly states: Map<string, SessionState>;
  /** The commit ids of each batch that was received. */
  readonly batches: string[][] = [];
  readonly #hooks: CallHooks;

  constructor(
    hooks: CallHooks = NO_HOOKS,
    states: Map<string, SessionState> = new Map(),
    groupCommit: Capabilities["groupCommit"] = "session",
  ) {
    this.#hooks = hooks;
    this.states = states;
    this.capabilities = { groupCommit, durable: ABSENT, multiProcess: ABSENT, search: ABSENT };
  }

  async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    this.batches.push(requests.map((request) => request.id));
    await this.#hooks.before("commit");
    const outcomes = requests.map((request) => {
      const { outcome, state } = applyCommit(this.states.get(request.sessionId), request);
      if (state !== undefined) this.states.set(request.sessionId, state);
      return outcome;
    });
    await this.#hooks.after("commit");
    return outcomes;
  }

  async read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    await this.#hooks.before("read");
    const state = this.#live(sessionId);
    const record = state === undefined ? undefined : readState(sessionId, state, select);
    await this.#hooks.after("read");
    return record;
  }

  async document(sessionId: string): Promise<SessionDocument | undefined> {
    const state = this.#live(sessionId);
    return state === undefined ? undefined : documentOf(state);
  }

  async list(): Promise<Page<SummaryRecord>> {
    return { items: [] };
  }

  async *watch(_target: WatchTarget, _signal: AbortSignal): AsyncGenerator<Change> {
    // this backend has no feed
  }

  async verify(): Promise<Verification | undefined> {
    return undefined;
  }

  async describe(): Promise<StoreDescription> {
    throw new Error("nobody asks this backend what it is");
  }

  async close(): Promise<void> {
    // there is nothing to close
  }

  /** The ids of a session's live messages, without delays or failures. */
  ids(sessionId: string): readonly string[] {
    const state = this.#live(sessionId);
    return state === undefined
      ? []
      : readState(sessionId, state, { messages: "all" }).messages.map((message) => message.id);
  }

  #live(sessionId: string): LiveState | undefined {
    const state = this.states.get(sessionId);
    return state?.status === "live" ? state : undefined;
  }
}
