import { type MutationResult, SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { untilKnown } from "../src/until-known.js";

const unknown = SessionError.of("OUTCOME_UNKNOWN", "no reply", { commitId: "c1" });
const unavailable = SessionError.of("STORE_UNAVAILABLE", "the store failed", {});

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

test("a failure of the first sending that says that nothing was changed is told as it is", async () => {
  await expect(untilKnown(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
});
