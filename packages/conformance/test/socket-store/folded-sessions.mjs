import {
  applyCommit,
  ChangeFeed,
  documentOf,
  listSummaries,
  readState,
  SERVER_DOMAIN,
  stateAt,
  summaryOf,
} from "@sessions/protocol/backend";
import { encodeError } from "./lines.mjs";

/**
 * The sessions of a socket store, folded by `applyCommit`, on a clock of their own. `fault` builds in one of the
 * mistakes that the kit's multi-process section has to notice.
 */
export class FoldedSessions {
  #fault;
  #states = new Map();
  #feed = new ChangeFeed();
  #count = 0;

  constructor(fault) {
    this.#fault = fault;
  }

  commit(requests) {
    const judge = () => requests.map((request) => this.#commitOne(atServerTime(request)));
    if (this.#fault !== "acknowledges before it applies") return judge();
    // What is told is right, but it is done a moment later, on whatever the state is by then.
    const states = new Map(this.#states);
    const told = judge();
    this.#states = states;
    setTimeout(judge, 3);
    return told;
  }

  read(sessionId, select) {
    const state = this.#live(sessionId);
    return state === undefined ? null : readState(sessionId, state, select);
  }

  document(sessionId) {
    const state = this.#live(sessionId);
    return state === undefined ? null : documentOf(state);
  }

  list(query) {
    const live = [...this.#states.keys()].flatMap((id) => {
      const state = this.#live(id);
      return state === undefined ? [] : [summaryOf(id, state)];
    });
    return listSummaries(live, query);
  }

  watch(target, signal) {
    return this.#feed.watch(target, signal, () => this.#missed(target));
  }

  verify(sessionId) {
    const state = this.#live(sessionId);
    const messages = state === undefined ? 0 : documentOf(state).messages.length;
    return state === undefined
      ? null
      : { sessionId, ok: true, revision: state.revision, messages, findings: [] };
  }

  #commitOne(request) {
    const before = this.#states.get(request.sessionId);
    const { outcome, state } = applyCommit(before, this.#misread(request));
    if (outcome.status === "rejected") return { status: "rejected", error: encodeError(outcome.error) };
    if (state !== undefined) this.#states.set(request.sessionId, state);
    if (outcome.status === "applied" && outcome.revision !== before?.revision)
      this.#tell(request.sessionId, outcome);
    return outcome;
  }

  #misread(request) {
    if (this.#fault === "ignores commit ids") return { ...request, id: `${++this.#count}` };
    if (this.#fault === "ignores fences") {
      const { fence: _, ...rest } = request;
      const ends = request.ops.some(
        (op) => op.op === "turn" && (op.action === "end" || op.action === "renew"),
      );
      return ends ? request : rest;
    }
    if (this.#fault === "ignores preconditions") {
      const { ifRevision: _, ...rest } = request;
      return rest;
    }
    if (this.#fault !== "takes turns over at once") return request;
    const state = this.#states.get(request.sessionId);
    const stale =
      state?.turn === undefined ? [] : [{ token: state.turn.token, renewals: state.turn.renewals }];
    return { ...request, ops: request.ops.map((op) => (op.action === "begin" ? { ...op, stale } : op)) };
  }

  #tell(sessionId, { revision, at }) {
    const deleted = this.#states.get(sessionId)?.status === "deleted";
    if (deleted && this.#fault === "feeds no deletions") return;
    this.#feed.publish({
      sessionId,
      revision,
      at,
      ...(deleted ? { deleted } : {}),
      cursor: `${++this.#count}`,
    });
  }

  #missed({ session, since }) {
    const state = session === undefined ? undefined : stateAt(this.#states.get(session), Date.now());
    if (state === undefined || since === undefined || state.revision <= since) return [];
    return [
      {
        sessionId: session,
        revision: state.revision,
        at: Date.now(),
        ...(state.status === "live" ? {} : { deleted: true }),
        cursor: "0",
      },
    ];
  }

  #live(sessionId) {
    const state = stateAt(this.#states.get(sessionId), Date.now());
    return state?.status === "live" ? state : undefined;
  }
}

/** The server gives every commit its time, and leases are measured by the server's clock. */
function atServerTime(request) {
  const at = Date.now();
  return { ...request, at, leaseTime: { domain: SERVER_DOMAIN, now: at } };
}
