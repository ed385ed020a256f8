import { applyCommit, type LiveState, type Message } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { historyChangesOf, memoryChangesOf, rowHistory, rowMemory } from "../src/index.js";
import { ArraysAsSource } from "./arrays-as-source.js";

const message = (id: string): Message => ({ id, role: "user", content: "x", createdAt: 1 });

function commit(state: LiveState | undefined, id: string, messages: readonly Message[]): LiveState {
  const ops = [{ op: "append", messages, onExisting: "fail" } as const];
  const { state: after } = applyCommit(state, { sessionId: "s", id, at: 1, ops });
  if (after?.status !== "live") throw new Error("the commit was refused");
  return after;
}

test("an append reads no stored message, and its changes are what has to be written", () => {
  const messages = Array.from({ length: 1000 }, (_, n) => message(`m${n}`));
  const { history, ...state } = commit(undefined, "c1", messages);
  const source = new ArraysAsSource(history.messages.slice(), history.revisions.slice());
  const after = commit({ ...state, history: rowHistory(source, history) }, "c2", [message("new")]);
  expect(source.asked).toBe(0);
  expect(historyChangesOf(after.history)).toMatchObject({
    kept: 1000,
    replaced: [],
    added: [{ id: "new" }],
    revisions: [2],
  });
});

test("entries that a memory does not store yet are told apart from those that it stores", () => {
  const memory = rowMemory({ horizon: 5, entries: () => [{ id: "a", at: 6 }], get: () => undefined });
  const more = memory.add({ id: "b", at: 7 }, { count: 1, ms: 0 });
  expect(more.get("b")).toEqual({ id: "b", at: 7 });
  expect(more.toDocument()).toEqual({
    entries: [
      { id: "a", at: 6 },
      { id: "b", at: 7 },
    ],
    horizon: 5,
  });
  expect(memoryChangesOf(more)).toMatchObject({ added: [{ id: "b" }], horizon: 5 });
});
