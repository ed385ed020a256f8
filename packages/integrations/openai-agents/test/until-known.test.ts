import { type MutationResult, SessionError } from "@sessions/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { retriedPatiently, untilKnown } from "../src/until-known.js";

const unknown = SessionError.of("OUTCOME_UNKNOWN", "no reply", { commitId: "c1" });
const unavailable = SessionError.of("STORE_UNAVAILABLE", "the store failed", {});
const tooLarge = SessionError.of("TOO_LARGE", "too large", { path: "message", bytes: 2, limit: 1 });

test("a change in doubt is sent again under its commit id until the store tells, whatever fails in between", async () => {
  const failures = [unknown, unavailable];
  const sent: unknown[] = [];
  const result: MutationResult = { revision: 1, duplicate: true, messages: [] };
  const told = await untilKnown(async ({ commitId }) => {
    sent.push(commitId);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return result;
  });
  expect(told).toBe(result);
  expect(new Set(sent).size).toBe(1);
  expect(sent).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
});

test("a store that cannot be reached is asked again, and one that refuses is not", async () => {
  const failures = [unavailable, tooLarge];
  await expect(untilKnown(() => Promise.reject(failures.shift()))).rejects.toBe(tooLarge);
  expect(failures).toEqual([]);
});

test("a change in doubt stays in doubt when the store closes, whatever it said last", async () => {
  const closed = SessionError.of("STORE_CLOSED", "the store is closed", {});
  const failures = [unavailable, unknown, closed];
  await expect(untilKnown(() => Promise.reject(failures.shift()))).rejects.toBe(unknown);
});

test.each([
  ["a change whose reply was lost", unknown, (call: () => Promise<never>) => untilKnown(call)],
  ["a change", unavailable, (call: () => Promise<never>) => untilKnown(call)],
  ["a read", unavailable, (call: () => Promise<never>) => retriedPatiently(call)],
] as const)("%s is asked for again for up to 15 seconds", async (_what, failure, ask) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const began = performance.now();
  const calledAt: number[] = [];
  const asked = ask(async () => {
    calledAt.push(performance.now() - began);
    throw failure;
  });
  const failed = expect(asked).rejects.toBe(failure);
  await vi.runAllTimersAsync();
  await failed;
  const last = calledAt.at(-1) ?? 0;
  expect(last).toBeLessThanOrEqual(15_000);
  expect(last).toBeGreaterThan(14_000);
});
