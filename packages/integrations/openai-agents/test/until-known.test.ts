import { type MutationResult, SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { untilKnown } from "../src/until-known.js";

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
