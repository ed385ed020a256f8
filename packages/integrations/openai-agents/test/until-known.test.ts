import { type MutationResult, SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { untilKnown } from "../src/until-known.js";

const unknown = SessionError.of("OUTCOME_UNKNOWN", "no reply", { commitId: "c1" });
const unavailable = SessionError.of("STORE_UNAVAILABLE", "the store failed", {});
const full = SessionError.of("STORE_FULL", "the disk is full", {});

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
  expect(sent).toEqual([undefined, "c1", "c1"]);
});

test("a store that cannot be reached is asked again, and one that refuses is not", async () => {
  const failures = [unavailable, full];
  await expect(untilKnown(() => Promise.reject(failures.shift()))).rejects.toBe(full);
  expect(failures).toEqual([]);
});

test("a change in doubt stays in doubt when the store closes, whatever it said last", async () => {
  const closed = SessionError.of("STORE_CLOSED", "the store is closed", {});
  const failures = [unavailable, unknown, closed, full];
  const result: MutationResult = { revision: 1, duplicate: true, messages: [] };
  const send = (): Promise<MutationResult> => {
    const failure = failures.shift();
    return failure === undefined ? Promise.resolve(result) : Promise.reject(failure);
  };
  await expect(untilKnown(send)).resolves.toBe(result);
});
