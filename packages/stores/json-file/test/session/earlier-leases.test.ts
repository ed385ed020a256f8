import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBackend } from "../fixtures/open-backend.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "earlier-leases-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("a journal in which wall time decided a takeover is read again as it was written", async () => {
  const begin = (turnId: string) =>
    ({ op: "turn", action: "begin", turnId, nonce: turnId, ttlMs: 1_000 }) as const;
  const writer = await openBackend({ root });
  // Earlier versions wrote no reading of a lease clock: these requests have none either.
  const outcomes = [
    ...(await writer.commit([{ sessionId: "s", id: "c1", at: 10_000, ops: [begin("t1")] }])),
    ...(await writer.commit([{ sessionId: "s", id: "c2", at: 10_999, ops: [begin("t2")] }])),
    ...(await writer.commit([{ sessionId: "s", id: "c3", at: 11_000, ops: [begin("t3")] }])),
  ];
  expect(outcomes.map(({ status }) => status)).toEqual(["applied", "rejected", "applied"]);
  await writer.close();
  const reader = await openBackend({ root });
  expect(await reader.read("s", { messages: "none" })).toMatchObject({
    revision: 2,
    turn: { turnId: "t3" },
    lastTurn: { turnId: "t1", outcome: "interrupted" },
  });
  await reader.close();
});
