import { expect, it } from "vitest";
import type { Operation } from "../../src/operations/operation.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { imageOf, stateOfImage } from "../../src/state/documents/state-image.js";
import type { LiveState, SessionState } from "../../src/state/session-state.js";

const append = (id: string): Operation => ({
  op: "append",
  messages: [{ id, role: "user", content: id }],
  onExisting: "fail",
});

function after(...commits: readonly Operation[]): LiveState {
  const state = commits.reduce<SessionState | undefined>((before, op, index) => {
    return applyCommit(before, { sessionId: "s", id: `c${index}`, at: index, ops: [op] }).state;
  }, undefined);
  if (state?.status !== "live") throw new Error("the session is live");
  return state;
}

it("an image keeps the revision of the last rewrite", () => {
  const state = after(append("a"), append("b"), { op: "remove", messageIds: ["a"] }, append("c"));
  expect(state.rewrittenAt).toBe(3);
  expect(stateOfImage(imageOf(state))).toMatchObject({ revision: 4, rewrittenAt: 3 });
});

it("an image of an earlier version counts as rewritten at its own revision", () => {
  const image = imageOf(after(append("a"), append("b")));
  if (image.status !== "live") throw new Error("the session is live");
  const { rewrittenAt, ...document } = image.document;
  expect(rewrittenAt).toBe(0);
  expect(stateOfImage({ ...image, document })).toMatchObject({ revision: 2, rewrittenAt: 2 });
});
