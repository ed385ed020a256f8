import { SessionError } from "@sessions/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { retryCall } from "../src/retry-call.js";

test("a session calls an unavailable store again for 15 seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const unavailable = SessionError.of("STORE_UNAVAILABLE", "the store failed", {});
  const began = performance.now();
  const calledAt: number[] = [];
  const called = retryCall(async () => {
    calledAt.push(performance.now() - began);
    throw unavailable;
  });
  const failed = expect(called).rejects.toBe(unavailable);
  await vi.runAllTimersAsync();
  await failed;
  expect(calledAt.at(-1)).toBe(15_000);
});
