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
 * The sessions of a socket store, folded by `applyCommit`, with the server's clock. `fault` is one of the faults that
 * the kit's multi-process sections must find.
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
    const apply = () => requests.map((request) => this.#commitOne(atServerTime(request)));
    if (this.#fault !== "acknowledges before it applies") return apply();
    // The outcomes are right for the current state, but the requests are applied 3 ms later, to a newer one.
    const states = new Map(this.#states);
    const outcomes = apply();
    this.#states = states;
    setTimeout(apply, 3);
    return outcomes;
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
    const { outcome, state } = applyCommit(before, this.#withFault(request));
    if (outcome.status === "rejected") return { status: "rejected", error: encodeError(outcome.error) };
    if (state !== undefined) this.#states.set(request.sessionId, state);
    if (outcome.status === "applied" && outcome.revision !== before?.revision)
      this.#publish(request.sessionId, outcome);
    return outcome;
  }

  #withFault(request) {
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

  #publish(sessionId, { revision, at }) {
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

/** The server sets the time of every commit, and measures leases by its clock. */
function atServerTime(request) {
  const at = Date.now();
  return { ...request, at, leaseTime: { domain: SERVER_DOMAIN, now: at } };
}
