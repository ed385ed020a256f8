import { SessionError } from "@sessions/protocol";
import { ImmediateClock, ManualClock } from "test-tools";
import { expect, test } from "vitest";
import { type RetryPolicy, retry } from "../src/index.js";

const unknown = SessionError.of("OUTCOME_UNKNOWN", "no reply", { commitId: "c1" });
const unavailable = SessionError.of("STORE_UNAVAILABLE", "the store failed", {});
const tooLarge = SessionError.of("TOO_LARGE", "too large", { path: "message", bytes: 2, limit: 1 });
const closed = SessionError.of("STORE_CLOSED", "the store is closed", {});

const newId = (): string => crypto.randomUUID();
const policy = (deadlineMs = 2000): RetryPolicy => ({ clock: new ImmediateClock(), newId, deadlineMs });
const failing = (...failures: readonly Error[]): (() => Promise<never>) => {
  const left = [...failures];
  return () => Promise.reject(left.shift() ?? new Error("called too often"));
};

test("a commit whose error is transient is sent again under the same commit id until the store answers", async () => {
  const failures = [unknown, unavailable];
  const sent: unknown[] = [];
  const result = await retry(policy(), async ({ commitId }) => {
    sent.push(commitId);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return "stored";
  });
  expect(result).toBe("stored");
  expect(sent).toEqual([expect.any(String), sent[0], sent[0]]);
});

test("two commits have different commit ids", async () => {
  const idOf = (): Promise<string | undefined> => retry(policy(), async ({ commitId }) => commitId);
  expect(await idOf()).not.toBe(await idOf());
});

test("an error that is not transient is thrown at once", async () => {
  await expect(retry(policy(), failing(unavailable, tooLarge))).rejects.toBe(tooLarge);
});

test.each([100, 1260, 2000, 15_000])(
  "the last attempt is made exactly at the deadline, after %i ms",
  async (deadlineMs) => {
    const clock = new ImmediateClock();
    const calledAt: number[] = [];
    const call = async (): Promise<never> => {
      calledAt.push(clock.monotonic());
      throw unavailable;
    };
    await expect(retry({ clock, newId, deadlineMs }, call)).rejects.toBe(unavailable);
    expect(calledAt.at(-1)).toBe(deadlineMs);
    const pauses = calledAt.slice(1).map((at, index) => at - (calledAt[index] ?? 0));
    expect(pauses[0]).toBe(20);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
  },
);

test("once the outcome of an attempt is unknown, later failures of the store do not hide that", async () => {
  await expect(retry(policy(), failing(unavailable, unknown, closed))).rejects.toBe(unknown);
  await expect(retry(policy(0), failing(unknown))).rejects.toBe(unknown);
  await expect(retry(policy(30), failing(unknown, unavailable, unavailable))).rejects.toBe(unknown);
});

test("an abort ends the pause: one last attempt is made at once, and its failure is the signal's reason", async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const reason = new Error("enough");
  let calls = 0;
  const call = async (): Promise<never> => {
    calls++;
    throw unavailable;
  };
  const retried = retry({ clock, newId, deadlineMs: 2000, signal: abort.signal }, call);
  await expect.poll(() => clock.waits).toEqual([20]);
  abort.abort(reason);
  await expect(retried).rejects.toBe(reason);
  expect(calls).toBe(2);
  expect(clock.waits).toEqual([]);
});

test("the last attempt after an abort counts if it succeeds", async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const outcomes = [Promise.reject(unknown), Promise.resolve("stored")];
  const retried = retry({ clock, newId, deadlineMs: 2000, signal: abort.signal }, async () =>
    outcomes.shift(),
  );
  await expect.poll(() => clock.waits).toEqual([20]);
  abort.abort();
  expect(await retried).toBe("stored");
});

test("an abort does not hide that a commit may have been stored", async () => {
  const abort = new AbortController();
  abort.abort(new Error("enough"));
  await expect(retry({ ...policy(), signal: abort.signal }, failing(unknown))).rejects.toBe(unknown);
});
