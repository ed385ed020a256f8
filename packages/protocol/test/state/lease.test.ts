import { describe, expect, test } from "vitest";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import type { SessionState } from "../../src/state/session-state.js";

const TTL_MS = 1_000;
const HOUR_MS = 3_600_000;

type Knowledge = Pick<CommitRequest, "at" | "leaseTime" | "unchangedLeases">;

function begin(state: SessionState | undefined, turnId: string, knowledge: Knowledge) {
  const op = { op: "turn", action: "begin", turnId, nonce: turnId, ttlMs: TTL_MS } as const;
  return applyCommit(state, { sessionId: "s", id: turnId, ops: [op], ...knowledge });
}

const held = begin(undefined, "t1", { at: 0, leaseTime: { domain: "boot", now: 500 } }).state;
const unchanged = [{ token: "1.t1", renewals: 0 }];

describe("a turn whose lease is measured by a clock", () => {
  const cases: readonly [string, Knowledge, "applied" | "rejected"][] = [
    ["before its end by that clock", { at: HOUR_MS, leaseTime: { domain: "boot", now: 1_499 } }, "rejected"],
    ["at its end by that clock", { at: -HOUR_MS, leaseTime: { domain: "boot", now: 1_500 } }, "applied"],
    [
      "after its end by another clock",
      { at: HOUR_MS, leaseTime: { domain: "other", now: 9_999 } },
      "rejected",
    ],
    ["by wall time", { at: HOUR_MS }, "rejected"],
    ["seen unchanged", { at: 0, unchangedLeases: unchanged }, "applied"],
    ["seen before it was renewed", { at: 0, unchangedLeases: [{ token: "1.t1", renewals: 1 }] }, "rejected"],
  ];
  for (const [when, knowledge, status] of cases)
    test(`is ${status === "applied" ? "" : "not "}taken over ${when}`, () => {
      expect(begin(held, "t2", knowledge).outcome.status).toBe(status);
    });

  test("is measured by the clock of its last renewal", () => {
    const renew = { op: "turn", action: "renew" } as const;
    const request = { sessionId: "s", id: "r", ops: [renew], fence: "1.t1", at: 0 };
    const renewed = applyCommit(held, { ...request, leaseTime: { domain: "other", now: 0 } }).state;
    const at = HOUR_MS;
    expect(begin(renewed, "t2", { at, leaseTime: { domain: "boot", now: HOUR_MS } }).outcome.status).toBe(
      "rejected",
    );
    expect(begin(renewed, "t2", { at, leaseTime: { domain: "other", now: 999 } }).outcome.status).toBe(
      "rejected",
    );
    expect(begin(renewed, "t2", { at, leaseTime: { domain: "other", now: 1_000 } }).outcome.status).toBe(
      "applied",
    );
    const byEarlierVersion = applyCommit(held, request).state;
    expect(
      begin(byEarlierVersion, "t2", { at, leaseTime: { domain: "boot", now: HOUR_MS } }).outcome.status,
    ).toBe("rejected");
  });
});
