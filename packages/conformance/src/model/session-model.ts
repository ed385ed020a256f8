import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  documentOf,
  type LiveState,
  readState,
  type SessionDocument,
  type SessionState,
  stateAt,
} from "@sessions/protocol/backend";
import type { SessionView } from "./session-view.js";

const REMEMBERED_DOCUMENTS = 8;

/** The sessions of a sequence as `applyCommit` computes them, and the ids and tokens that were used. */
export class SessionModel {
  readonly sessionIds: readonly string[];
  readonly startedAt: number;
  readonly #states = new Map<string, SessionState>();
  readonly #sent = new Map<string, CommitRequest[]>();
  readonly #messageIds = new Map<string, Set<string>>();
  readonly #tokens: string[] = [];
  readonly #documents: SessionDocument[] = [];
  #names = 0;

  constructor(sessionIds: readonly string[], startedAt: number) {
    this.sessionIds = sessionIds;
    this.startedAt = startedAt;
  }

  /** A copy of the states, to apply requests in advance. New names come from this model, so that they are unique. */
  copy(): SessionModel {
    const copy = new SessionModel(this.sessionIds, this.startedAt);
    for (const [id, state] of this.#states) copy.#states.set(id, state);
    return copy;
  }

  /** The outcome of a request according to `applyCommit`. The state does not change. */
  outcomeOf(request: CommitRequest): CommitOutcome {
    return applyCommit(this.#states.get(request.sessionId), request).outcome;
  }

  /** Applies a request with `applyCommit`. */
  commit(request: CommitRequest): CommitOutcome {
    const { outcome, state } = applyCommit(this.#states.get(request.sessionId), request);
    if (state !== undefined) this.#states.set(request.sessionId, state);
    return outcome;
  }

  /** Remembers a sent request, and its ids and tokens, for later requests. */
  remember(request: CommitRequest): void {
    listIn(this.#sent, request.sessionId).push(request);
    const ids = this.#messageIds.get(request.sessionId) ?? new Set();
    this.#messageIds.set(request.sessionId, ids);
    for (const op of request.ops)
      if (op.op === "append" || op.op === "splice") for (const message of op.messages) ids.add(message.id);
    const state = this.#states.get(request.sessionId);
    if (state?.status !== "live") return;
    if (state.turn !== undefined) this.#tokens.push(state.turn.token);
    this.#documents.push(documentOf(state));
    if (this.#documents.length > REMEMBERED_DOCUMENTS) this.#documents.shift();
  }

  sentTo(sessionId: string): readonly CommitRequest[] {
    return this.#sent.get(sessionId) ?? [];
  }

  /** The state of a session, or `undefined` if it is absent, deleted or expired. */
  live(sessionId: string, at: number): LiveState | undefined {
    const state = stateAt(this.#states.get(sessionId), at);
    return state?.status === "live" ? state : undefined;
  }

  allLive(at: number): ReadonlyMap<string, LiveState> {
    const live = this.sessionIds.map((id) => [id, this.live(id, at)] as const);
    return new Map(live.flatMap(([id, state]) => (state === undefined ? [] : [[id, state] as const])));
  }

  newName(kind: string): string {
    return `${kind}${++this.#names}`;
  }

  /** What the sender of a request to this session knows, with the state of `preview`. */
  viewOf(sessionId: string, at: number, preview: SessionModel = this): SessionView {
    const state = preview.live(sessionId, at);
    const record = state === undefined ? undefined : readState(sessionId, state, { messages: "all" });
    return {
      messages: state === undefined ? [] : documentOf(state).messages,
      live: record?.messages ?? [],
      archiveIds: record?.archives.map((archive) => archive.id) ?? [],
      snapshotNames: record?.snapshots.map((snapshot) => snapshot.name) ?? [],
      turn: record?.turn,
      queue: record?.queue ?? [],
      revision: record?.revision ?? 0,
      usedMessageIds: [...(this.#messageIds.get(sessionId) ?? [])],
      usedTokens: this.#tokens,
      documents: this.#documents,
      sessionIds: this.sessionIds,
      startedAt: this.startedAt,
      newMessageId: () => this.newName("m"),
      newName: (kind) => this.newName(kind),
    };
  }
}

function listIn<Item>(map: Map<string, Item[]>, key: string): Item[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
