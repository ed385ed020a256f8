import { expect } from "vitest";
import type { MutationResult } from "../../src/api/mutation.js";
import { SessionError } from "../../src/errors/session-error.js";
import { adds, type Call } from "./calls.js";

type Results = readonly PromiseSettledResult<MutationResult>[];

/** Checks that each call got its own outcome, in call order. */
export function expectOwnOutcomes(list: readonly Call[], results: Results): void {
  const last = { s1: 0, s2: 0 };
  for (const [index, call] of list.entries()) {
    const result = results[index];
    if (call.kind === "taken") expectRefused(result, "MESSAGE_ID_TAKEN");
    else if (call.kind === "conflict") expectRefused(result, "REVISION_CONFLICT");
    else if (result?.status !== "fulfilled")
      throw new Error(`call ${index} failed`, { cause: result?.reason });
    else {
      expect(result.value.duplicate).toBe(call.kind === "noop");
      if (call.kind !== "noop")
        expect(result.value.revision, "revisions rise in call order").toBeGreaterThan(last[call.session]);
      if (adds(call)) expect(result.value.messages.map((message) => message.id)).toContain(`m${index}`);
      last[call.session] = Math.max(last[call.session], result.value.revision);
    }
  }
}

function expectRefused(
  result: PromiseSettledResult<unknown> | undefined,
  code: "MESSAGE_ID_TAKEN" | "REVISION_CONFLICT",
): void {
  expect(result?.status === "rejected" && SessionError.is(result.reason, code)).toBe(true);
}

/** Checks that acknowledged messages are there once and in order, and failed ones at most once. */
export function expectOnce(
  session: string,
  list: readonly Call[],
  results: Results,
  ids: readonly string[],
): void {
  const mine = list.flatMap((call, index) => (call.session === session && adds(call) ? [index] : []));
  expect(new Set(ids).size, "nothing is there twice").toBe(ids.length);
  const acknowledged = mine
    .filter((index) => results[index]?.status === "fulfilled")
    .map((index) => `m${index}`);
  const there = ids.filter((id) => acknowledged.includes(id));
  expect(there, "acknowledged, in order").toEqual(acknowledged);
  for (const index of mine) {
    const result = results[index];
    if (result?.status === "rejected")
      expect(SessionError.is(result.reason, "OUTCOME_UNKNOWN", "STORE_UNAVAILABLE")).toBe(true);
    // The outcome was learned by sending the commit again, but it was this call that applied it.
    else
      expect(result?.value).toMatchObject({
        duplicate: false,
        messages: expect.arrayContaining([expect.objectContaining({ id: `m${index}` })]),
      });
  }
}
