import type { EndTurnOperation, TurnOperation } from "@sessions/protocol/backend";
import fc from "fast-check";
import { type Choice, choice, chosen } from "./choice.js";
import type { Known } from "./known.js";

/** A step in the life of a turn; few names, so that they meet. */
export type TurnIntent =
  | {
      readonly op: "turn";
      readonly action: "queue";
      readonly ticket: string;
      readonly turnId: string;
      readonly ttlMs: number;
    }
  | { readonly op: "turn"; readonly action: "leave"; readonly ticket: string }
  | {
      readonly op: "turn";
      readonly action: "begin";
      readonly turnId: string;
      readonly ttlMs: number;
      readonly owner: string | undefined;
      /** Whether it says that it waited, and as whom. */
      readonly waited: "first" | "somewhere" | undefined;
      readonly which: Choice;
      /** Whether it says that what stands before it has not moved: rightly, wrongly, not at all. */
      readonly stale: "right" | "wrong" | undefined;
    }
  | { readonly op: "turn"; readonly action: "renew" }
  | {
      readonly op: "turn";
      readonly action: "interrupt";
      readonly turnId: string | undefined;
      readonly force: boolean | undefined;
    }
  | {
      readonly op: "turn";
      readonly action: "end";
      readonly outcome: EndTurnOperation["outcome"];
      readonly error: string | undefined;
      readonly drafts: EndTurnOperation["drafts"];
    };

const turnId = fc.constantFrom("t1", "t2", "t3", "t4");
const ticket = fc.constantFrom("k1", "k2", "k3");
const ttlMs = fc.constantFrom(1_000, 30_000, 3_600_000);
const op = fc.constant("turn" as const);

/** A step in the life of a turn. */
export const turnIntent: fc.Arbitrary<TurnIntent> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ op, action: fc.constant("queue" as const), ticket, turnId, ttlMs }) },
  { weight: 1, arbitrary: fc.record({ op, action: fc.constant("leave" as const), ticket }) },
  {
    weight: 5,
    arbitrary: fc.record({
      op,
      action: fc.constant("begin" as const),
      turnId,
      ttlMs,
      owner: fc.option(fc.constantFrom("worker", "\u0000"), { nil: undefined }),
      waited: fc.option(fc.constantFrom("first" as const, "somewhere" as const), { nil: undefined, freq: 2 }),
      which: choice,
      stale: fc.option(fc.constantFrom("right" as const, "wrong" as const), { nil: undefined, freq: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op, action: fc.constant("renew" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op,
      action: fc.constant("interrupt" as const),
      turnId: fc.option(turnId, { nil: undefined }),
      force: fc.constantFrom(undefined, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op,
      action: fc.constant("end" as const),
      outcome: fc.constantFrom<EndTurnOperation["outcome"]>("completed", "failed", "interrupted", "released"),
      error: fc.option(fc.constantFrom("broke", "\ud800"), { nil: undefined }),
      drafts: fc.constantFrom("finish" as const, "finish" as const, "interrupt" as const, undefined),
    }),
  },
);

/** The operation as it is sent. */
export function turnOperation(intent: TurnIntent, known: Known): TurnOperation {
  switch (intent.action) {
    case "begin":
      return begin(intent, known);
    case "interrupt":
      return {
        op: "turn",
        action: "interrupt",
        ...(intent.turnId === undefined ? {} : { turnId: intent.turnId }),
        ...(intent.force === undefined ? {} : { force: intent.force }),
      };
    case "end":
      return {
        op: "turn",
        action: "end",
        outcome: intent.outcome,
        ...(intent.error === undefined ? {} : { error: intent.error }),
        ...(intent.drafts === undefined ? {} : { drafts: intent.drafts }),
      };
    default:
      return intent;
  }
}

function begin(intent: Extract<TurnIntent, { readonly action: "begin" }>, known: Known): TurnOperation {
  const { turnId: id, ttlMs: ttl, owner, waited, which, stale } = intent;
  const place =
    waited === "first" ? known.queue[0] : waited === "somewhere" ? chosen(known.queue, which) : undefined;
  const off = stale === "right" ? 0 : 1;
  const leases = [known.turn, ...known.queue].filter((lease) => lease !== undefined);
  const seen = leases.map((lease) => ({
    token: "token" in lease ? lease.token : lease.ticket,
    renewals: lease.renewals + off,
  }));
  return {
    op: "turn",
    action: "begin",
    turnId: id,
    nonce: known.newName("nonce"),
    ttlMs: ttl,
    ...(owner === undefined ? {} : { owner }),
    ...(place === undefined ? {} : { ticket: place.ticket }),
    ...(stale === undefined ? {} : { stale: seen }),
  };
}
