import { describe, expect, test } from "vitest";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import type { Operation } from "../../src/operations/operation.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { documentOf } from "../../src/state/documents/document-of.js";
import type { SessionState } from "../../src/state/session-state.js";

const NOW = 1_750_000_000_000;
const APPEND: Operation = {
  op: "append",
  messages: [{ id: "m1", role: "user", content: "hi" }],
  onExisting: "fail",
};
const REMOVE: Operation = { op: "remove", messageIds: ["nobody"] };
const BEGIN: Operation = { op: "turn", action: "begin", turnId: "t1", nonce: "x", ttlMs: 1000 };

function code(
  state: SessionState | undefined,
  ops: readonly Operation[],
  fields: Partial<CommitRequest> = {},
): string {
  const { outcome } = applyCommit(state, { sessionId: "s", id: "c9", at: NOW, ops, ...fields });
  return outcome.status === "rejected" ? outcome.error.code : outcome.status;
}

function after(...requests: readonly Partial<CommitRequest>[]): SessionState | undefined {
  return requests.reduce<SessionState | undefined>(
    (state, fields, index) =>
      applyCommit(state, { sessionId: "s", id: `c${index}`, digest: "d", at: NOW, ops: [APPEND], ...fields })
        .state,
    undefined,
  );
}

const one = after({});
const withTurn = after({}, { ops: [BEGIN] });
const gone = after({}, { ops: [{ op: "delete" }] });

describe("the first check that fails decides", () => {
  test("the commit id comes before existence, fence, revision and validation", () => {
    const wrong = { id: "c0", digest: "d", fence: "9.z", ifRevision: 7, ifAbsent: true };
    expect(code(one, [REMOVE], wrong)).toBe("duplicate");
    expect(code(gone, [REMOVE], wrong)).toBe("duplicate");
    expect(code(one, [REMOVE], { ...wrong, digest: "another" })).toBe("COMMIT_ID_REUSED");
  });

  test("existence comes before revision and validation", () => {
    expect(code(undefined, [REMOVE], { ifRevision: 7 })).toBe("SESSION_NOT_FOUND");
    expect(code(gone, [REMOVE], { ifIdle: true })).toBe("SESSION_NOT_FOUND");
  });

  test("a fenced commit never creates a session", () => {
    expect(code(undefined, [APPEND], { fence: "1.x" })).toBe("TURN_LOST");
    expect(code(gone, [APPEND], { fence: "1.x", ifRevision: 7 })).toBe("TURN_LOST");
  });

  test("the fence comes before the revision and the others", () => {
    expect(code(one, [REMOVE], { fence: "1.x", ifRevision: 7, ifAbsent: true })).toBe("TURN_LOST");
  });

  test("revision, absence and idleness come before validation", () => {
    expect(code(withTurn, [REMOVE], { ifRevision: 7 })).toBe("REVISION_CONFLICT");
    expect(code(withTurn, [REMOVE], { ifAbsent: true })).toBe("SESSION_EXISTS");
    expect(code(withTurn, [REMOVE], { ifIdle: true })).toBe("TURN_BUSY");
    expect(code(withTurn, [REMOVE], {})).toBe("MESSAGE_NOT_FOUND");
  });

  test("a retried end of a turn is a duplicate, not TURN_LOST", () => {
    const fence = withTurn?.status === "live" ? (withTurn.turn?.token ?? "") : "";
    const end = {
      id: "end",
      digest: "d",
      fence,
      ops: [{ op: "turn", action: "end", outcome: "completed" }],
    } as const;
    const ended = applyCommit(withTurn, { sessionId: "s", at: NOW, ...end });
    expect(ended.outcome.status).toBe("applied");
    expect(code(ended.state, end.ops, end)).toBe("duplicate");
    expect(code(ended.state, end.ops, { ...end, id: "another" })).toBe("TURN_LOST");
  });

  test("an expired turn that was not taken over is still current, and an expired session is absent", () => {
    const fence = withTurn?.status === "live" ? (withTurn.turn?.token ?? "") : "";
    expect(code(withTurn, [APPEND, { op: "turn", action: "renew" }], { fence, at: NOW + 5000 })).toBe(
      "applied",
    );
    const expiring = applyCommit(withTurn, {
      sessionId: "s",
      id: "e",
      at: NOW,
      ops: [{ op: "set", expiresAt: NOW + 10 }],
    }).state;
    expect(code(expiring, [APPEND], { fence, at: NOW + 10 })).toBe("TURN_LOST");
  });

  test("a commit without operations checks only the commit id", () => {
    expect(code(one, [], { id: "c0", digest: "d", fence: "1.x", ifRevision: 7 })).toBe("duplicate");
    expect(code(one, [], { fence: "1.x", ifRevision: 7 })).toBe("unchanged");
  });
});

test("a finished turn of an imported document is remembered once, also if it runs again", () => {
  const done = after(
    {},
    { ops: [BEGIN] },
    { ops: [{ op: "turn", action: "end", outcome: "completed" }], fence: "2.x" },
  );
  if (done?.status !== "live") throw new Error("the turn did not end");
  const adopt: Operation = { op: "adopt", document: documentOf(done) };
  const began = after({}, { ops: [adopt, { ...BEGIN, nonce: "y" }] });
  const token = began?.status === "live" ? began.turn?.token : undefined;
  if (token === undefined) throw new Error("the turn did not begin");
  const end: Operation = { op: "turn", action: "end", outcome: "completed" };
  const ended = applyCommit(began, { sessionId: "s", id: "c9", at: NOW, ops: [end], fence: token }).state;
  if (ended?.status !== "live") throw new Error("the turn did not end");
  expect(ended.finishedTurns.toDocument().entries.map(({ id }) => id)).toEqual(["t1"]);
});
