import { applyCommit, type Operation, type SessionState } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { StateWeight } from "../../src/session/state-weight.js";

let commits = 0;

function after(state: SessionState | undefined, ...ops: readonly Operation[]): SessionState | undefined {
  const { outcome, state: next } = applyCommit(state, { sessionId: "s", id: `c${commits++}`, at: 1, ops });
  expect(outcome.status).toBe("applied");
  return next;
}

const messages = (count: number, length: number, name = "m"): Operation => ({
  op: "append",
  messages: Array.from({ length: count }, (_, n) => ({
    id: `${name}${n}`,
    role: "u",
    content: "x".repeat(length),
  })),
  onExisting: "fail",
});

const weightOf = (state: SessionState | undefined): number => new StateWeight().of(state, 1);

test("a state weighs at least as much as the text of its messages, and not twice as much", () => {
  const weight = weightOf(after(undefined, messages(100, 10_000)));
  expect(weight).toBeGreaterThan(1_000_000);
  expect(weight).toBeLessThan(2_000_000);
});

test("messages that only a snapshot still holds weigh too, and shared ones weigh once", () => {
  const filled = after(undefined, messages(100, 10_000), { op: "snapshot", name: "before" });
  expect(weightOf(filled)).toBeLessThan(2_000_000);
  const replaced = after(filled, { op: "splice", keep: 0, messages: [] }, messages(100, 10_000, "n"));
  expect(weightOf(replaced)).toBeGreaterThan(2_000_000);
});

test("remembered commit ids weigh, so that a long journal of small changes does not count as nothing", () => {
  let state = after(undefined, messages(1, 10));
  for (let n = 0; n < 1000; n++) state = after(state, { op: "count", deltas: { n: 1 } });
  expect(weightOf(state)).toBeGreaterThan(100_000);
});

test("a state that has shrunk is measured again when its journal has grown by half of its weight", () => {
  const weight = new StateWeight();
  const filled = after(undefined, messages(100, 10_000));
  const before = weight.of(filled, 1_000_000);
  const cleared = after(filled, { op: "splice", keep: 0, messages: [] });
  expect(weight.of(cleared, 1_000_100)).toBe(before + 100);
  expect(weight.of(cleared, 2_000_000)).toBeLessThan(100_000);
});
