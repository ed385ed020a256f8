import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import { SessionError } from "../../src/errors/session-error.js";
import type { Operation } from "../../src/operations/operation.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { documentOf } from "../../src/state/documents/document-of.js";
import { imageOf, stateOfImage } from "../../src/state/documents/state-image.js";
import { stateOf } from "../../src/state/documents/state-of.js";
import { type LiveState, type SessionState, stateAt } from "../../src/state/session-state.js";
import { fold, requestPlans } from "./arbitrary-requests.js";
import { expectSound } from "./invariants.js";

/** Set `SESSIONS_LAW_RUNS=10000` for more runs. */
const RUNS = { numRuns: Number(process.env["SESSIONS_LAW_RUNS"] ?? 300) };

type Look = Parameters<typeof fold>[1];

function always(look: NonNullable<Look>): void {
  fc.assert(
    fc.property(requestPlans, (plans) => void fold(plans, look)),
    RUNS,
  );
}

function text(state: SessionState | undefined): string {
  if (state?.status !== "live")
    return JSON.stringify([state?.status, state?.revision, state?.commits.given.toDocument()]);
  return JSON.stringify([documentOf(state), state.turn, state.queue]);
}

describe("applyCommit", () => {
  test("never throws, for any request: a refusal is an outcome with the session's id", () => {
    always((_before, request, { outcome }) => {
      if (outcome.status !== "rejected") return;
      expect(SessionError.is(outcome.error)).toBe(true);
      expect(outcome.error.sessionId).toBe(request.sessionId);
    });
  });

  test("never changes its arguments", () => {
    // Requests are deeply frozen, so a write would throw. States are compared with a copy.
    fc.assert(
      fc.property(requestPlans, (plans) => {
        const seen: [SessionState | undefined, string][] = [];
        fold(plans, (before) => seen.push([before, text(before)]));
        for (const [state, was] of seen) expect(text(state)).toBe(was);
      }),
      RUNS,
    );
  });

  test("returns the same outcome for the same state and request", () => {
    always((before, request, { outcome, state }) => {
      const again = applyCommit(before, request);
      expect(again.outcome).toEqual(outcome);
      expect(text(again.state)).toBe(text(state));
    });
  });

  test("returns the same state object if nothing was applied", () => {
    always((before, _request, { outcome, state }) => {
      if (outcome.status !== "applied") expect(state).toBe(before);
    });
  });

  test("raises the revision by one, with a renewal not at all, and with an import to the document's revision if that is greater", () => {
    always((stored, request, { outcome, state }) => {
      if (outcome.status !== "applied") return;
      const before = stateAt(stored, request.at);
      expect(state?.revision).toBe(outcome.revision);
      const next = (before?.revision ?? 0) + 1;
      const imported = request.ops.flatMap((op) =>
        op.op === "create" || op.op === "adopt" ? [op.document.revision] : [],
      );
      if (onlyKeepsLeases(before, request)) expect(outcome.revision).toBe(before?.revision);
      else expect(outcome.revision).toBe(Math.max(next, ...imported));
    });
  });

  test("has the same outcome on a state that was saved as an image and loaded again", () => {
    always((before, request, { outcome, state }) => {
      const reread = before && stateOfImage(JSON.parse(JSON.stringify(imageOf(before))));
      const again = applyCommit(reread, request);
      expect(again.outcome).toEqual(outcome);
      expect(text(again.state)).toBe(text(state));
      expect(again.state && imageOf(again.state)).toEqual(state && imageOf(state));
    });
  });

  test("keeps the invariants of every session", () => {
    always((_before, _request, { state }) => {
      if (state?.status === "live") expectSound(state);
    });
  });

  test("recognizes every applied commit: a repeat has the same result and changes nothing", () => {
    always((before, request, { outcome, state }) => {
      if (
        outcome.status !== "applied" ||
        outcome.revision === before?.revision ||
        request.ageMs !== undefined
      )
        return;
      const later = { ...request, at: request.at + 5, ageMs: 5 };
      const again = applyCommit(state, later);
      const { revision, at, skipped } = outcome;
      const receipt = request.digest === undefined ? undefined : request.receipt;
      expect(again.outcome).toEqual({
        status: "duplicate",
        revision,
        at,
        ...given("skipped", skipped),
        ...given("receipt", receipt),
      });
      expect(again.state).toBe(state);
      // A generated id has no digest. Only a caller that got the id in an error can send it again, and it means the
      // same call.
      if (request.digest === undefined) return;
      const other = applyCommit(state, { ...later, digest: "of another request" });
      expect(other.outcome).toMatchObject({
        status: "rejected",
        error: { code: "COMMIT_ID_REUSED", commitId: request.id },
      });
    });
  });

  test("leaves no draft after the end of its turn, however the turn ends", () => {
    always((stored, request, { outcome, state }) => {
      const before = stateAt(stored, request.at);
      if (
        outcome.status !== "applied" ||
        before?.status !== "live" ||
        state?.status !== "live" ||
        before.turn === undefined
      )
        return;
      const [op, ...others] = request.ops;
      // Several operations may end a turn and then send new drafts. A splice may do both.
      if (others.length > 0 || op?.op === "adopt" || state.turn?.token === before.turn.token) return;
      const sent = op?.op === "splice" ? op.messages.map((message) => message.id) : [];
      expect(state.history.partials.filter((id) => !sent.includes(id))).toEqual([]);
    });
  });

  test("restores no draft whose turn has ended", () => {
    const append = (id: string, status?: "partial"): Operation => ({
      op: "append",
      messages: [{ id, role: "assistant", content: "…", ...(status === undefined ? {} : { status }) }],
      onExisting: "fail",
    });
    const begin: Operation = { op: "turn", action: "begin", turnId: "t", nonce: "x", ttlMs: 1000 };
    const steps: readonly Operation[][] = [
      [begin, append("m1", "partial"), { op: "snapshot", name: "n" }],
      [append("m2")],
      [{ op: "restore", name: "n", force: true }],
    ];
    const state = steps.reduce<SessionState | undefined>(
      (before, ops, index) => applyCommit(before, { sessionId: "s", id: `c${index}`, at: 1, ops }).state,
      undefined,
    );
    if (state?.status !== "live") throw new Error("it is not there");
    expect(state.turn).toBeUndefined();
    expect(documentOf(state).messages).toMatchObject([{ id: "m1", status: "interrupted" }]);
  });

  test("restores the same session from its document", () => {
    always((_before, request, { state }) => {
      if (state?.status !== "live" || stateAt(state, request.at)?.status !== "live") return;
      const document = documentOf(state);
      const created = applyCommit(undefined, {
        sessionId: "copy",
        id: "c",
        at: request.at,
        ops: [{ op: "create", document }],
      });
      expect(created.outcome).toMatchObject({ status: "applied", revision: document.revision });
      if (created.state?.status !== "live") throw new Error("it was not created");
      expect(documentOf(created.state)).toEqual(document);
    });
  });

  test("has the same outcomes on a session restored from its document", () => {
    fc.assert(
      fc.property(requestPlans, requestPlans, (before, after) => {
        const state = fold(before);
        if (state?.status !== "live") return;
        const { turn: _, ...idle } = state;
        const original: LiveState = { ...idle, queue: [], commits: stateOf(documentOf(state)).commits };
        const copy = stateOf(JSON.parse(JSON.stringify(documentOf(state))));
        expect(outcomes(copy, after)).toEqual(outcomes(original, after));
      }),
      RUNS,
    );
  });
});

function outcomes(from: SessionState, plans: Parameters<typeof fold>[0]): unknown {
  let state: SessionState | undefined = from;
  const told: unknown[] = [];
  fold(plans, (_before, request) => {
    const step = applyCommit(state, request);
    told.push(
      step.outcome.status === "rejected" ? step.outcome.error.toJSON() : step.outcome,
      plainDocument(step.state),
    );
    state = step.state;
  });
  return told;
}

function plainDocument(state: SessionState | undefined): unknown {
  if (state?.status !== "live") return state?.revision;
  const document = documentOf(state);
  const snapshots = document.snapshots.map(({ shared, messages, revisions: _, ...rest }) => ({
    ...rest,
    messages: [...document.messages.slice(0, shared), ...messages],
  }));
  return JSON.parse(JSON.stringify({ ...document, snapshots }));
}

function onlyKeepsLeases(before: SessionState | undefined, request: CommitRequest): boolean {
  const tickets = before?.status === "live" ? before.queue.map((ticket) => ticket.ticket) : [];
  return request.ops.every(
    (op) =>
      op.op === "turn" && (op.action === "renew" || (op.action === "queue" && tickets.includes(op.ticket))),
  );
}

function given(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}
