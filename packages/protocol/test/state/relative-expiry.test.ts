import { expect, test } from "vitest";
import { imageOf, stateOfImage } from "../../src/backend.js";
import type { Operation } from "../../src/operations/operation.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { documentOf } from "../../src/state/documents/document-of.js";
import type { LiveState, SessionState } from "../../src/state/session-state.js";

let commits = 0;

function after(state: SessionState | undefined, at: number, ...ops: readonly Operation[]): LiveState {
  const { outcome, state: next } = applyCommit(state, { sessionId: "s", id: `c${++commits}`, at, ops });
  if (outcome.status !== "applied" || next?.status !== "live") throw new Error(`it was ${outcome.status}`);
  return next;
}

function append(id: string): Operation {
  return { op: "append", messages: [{ id, role: "user", content: id }], onExisting: "fail" };
}

const sliding = after(after(undefined, 1_000, append("m1")), 1_000, {
  op: "set",
  expiresIn: 500,
  renewOnUse: true,
});

test("a use postpones the expiry, and a clock that was set back does not bring it closer", () => {
  const used = after(sliding, 1_400, append("m2"));
  expect(used.expiresAt).toBe(1_900);
  expect(after(used, 1_100, append("m3")).expiresAt).toBe(1_900);
  expect(after(used, 1_100, { op: "set", expiresIn: 200 }).expiresAt).toBe(1_300);
});

test("an import keeps the expiry of its document", () => {
  const document = documentOf(sliding);
  expect(after(undefined, 1_400, { op: "create", document }).expiresAt).toBe(1_500);
});

test("an image and a document keep expiresIn and renewOnUse", () => {
  const image = stateOfImage(JSON.parse(JSON.stringify(imageOf(sliding))));
  expect(image).toMatchObject({ expiresAt: 1_500, expiresIn: 500, renewOnUse: true });
});

test("a session that has expired is not renewed", () => {
  expect(after(sliding, 1_500, append("m1"))).not.toHaveProperty("expiresIn");
});
