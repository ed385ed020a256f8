import { SessionError } from "@sessions/protocol";
import { memoryPlace, withMethods } from "test-tools";
import { expect, onTestFinished, test, vi } from "vitest";
import { openaiSession } from "../src/index.js";

test("a session calls an unavailable store again for 15 seconds", async () => {
  const unavailable = SessionError.of("STORE_UNAVAILABLE", "the store failed", {});
  const calledAt: number[] = [];
  const store = withMethods(await memoryPlace().open(), {
    getSession: async () => {
      calledAt.push(performance.now());
      throw unavailable;
    },
  });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const read = expect(openaiSession(store, "s").getItems()).rejects.toBe(unavailable);
  await vi.runAllTimersAsync();
  await read;
  const [first = 0] = calledAt;
  expect((calledAt.at(-1) ?? 0) - first).toBe(15_000);
});
