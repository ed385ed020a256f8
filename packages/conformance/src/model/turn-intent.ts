import type { EndTurnOperation, TurnOperation } from "@sessions/protocol/backend";
import fc from "fast-check";
import { type Choice, choice, chosen } from "./choice.js";
import type { SessionView } from "./session-view.js";

/** An operation on a turn. There are few ids, so that steps concern the same turn. */
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
      /** Whether it claims to have waited, with the first ticket or any. */
      readonly waited: "first" | "somewhere" | undefined;
      readonly which: Choice;
      /** Whether it claims to have seen the leases before it unchanged: rightly, wrongly, or not at all. */
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

/** The operation to send. */
export function turnOperation(intent: TurnIntent, view: SessionView): TurnOperation {
  switch (intent.action) {
    case "begin":
      return begin(intent, view);
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

function begin(intent: Extract<TurnIntent, { readonly action: "begin" }>, view: SessionView): TurnOperation {
  const { turnId: id, ttlMs: ttl, owner, waited, which, stale } = intent;
  const ticketed =
    waited === "first" ? view.queue[0] : waited === "somewhere" ? chosen(view.queue, which) : undefined;
  const off = stale === "right" ? 0 : 1;
  const leases = [view.turn, ...view.queue].filter((lease) => lease !== undefined);
  const seen = leases.map((lease) => ({
    token: "token" in lease ? lease.token : lease.ticket,
    renewals: lease.renewals + off,
  }));
  return {
    op: "turn",
    action: "begin",
    turnId: id,
    nonce: view.newName("nonce"),
    ttlMs: ttl,
    ...(owner === undefined ? {} : { owner }),
    ...(ticketed === undefined ? {} : { ticket: ticketed.ticket }),
    ...(stale === undefined ? {} : { stale: seen }),
  };
}
