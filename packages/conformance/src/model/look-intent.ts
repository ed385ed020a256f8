import type { ListOrder, ListQuery, MessageSelection, Selection } from "@sessions/protocol/backend";
import fc from "fast-check";
import { LIST_ORDERS } from "../samples/list-orders.js";
import { type Choice, choice, chosenOr } from "./choice.js";
import type { Known } from "./known.js";

/** What to read after a step. */
export interface LookIntent {
  /** Through which of the two instances. */
  readonly instance: 0 | 1;
  /** Which sessions, in this order: an instance that does not look at all of them keeps what it saw of the others before. */
  readonly sessions: readonly number[];
  /** Also the whole document of each. */
  readonly whole: boolean;
  readonly select: "all" | "none" | "ids" | "range";
  readonly archive: boolean;
  readonly after: Choice | undefined;
  readonly before: Choice | undefined;
  readonly last: number | undefined;
  readonly revisions: boolean | undefined;
  /** Also asks for something that is not there. */
  readonly stranger: boolean;
  readonly list: ListIntent;
}

interface ListIntent {
  readonly order: ListOrder;
  readonly limit: number;
  readonly label: string | undefined;
  readonly parent: boolean;
  readonly since: "past" | "present" | undefined;
  readonly metadata: readonly string[] | undefined;
}

const list: fc.Arbitrary<ListIntent> = fc.record({
  order: fc.constantFrom(...LIST_ORDERS),
  limit: fc.constantFrom(1, 2, 50),
  label: fc.option(fc.constantFrom("u1", "u2"), { nil: undefined, freq: 1 }),
  parent: fc.constantFrom(false, false, true),
  since: fc.constantFrom(undefined, undefined, "past" as const, "present" as const),
  metadata: fc.option(fc.constant(["a", "__proto__", "length"]), { nil: undefined }),
});

export const lookIntent: fc.Arbitrary<LookIntent> = fc.record({
  instance: fc.constantFrom(0 as const, 1 as const),
  sessions: fc.shuffledSubarray([0, 1, 2, 3]),
  whole: fc.constantFrom(true, true, false),
  select: fc.constantFrom(
    "all" as const,
    "none" as const,
    "ids" as const,
    "range" as const,
    "range" as const,
  ),
  archive: fc.constantFrom(false, false, true),
  after: fc.option(choice, { nil: undefined, freq: 1 }),
  before: fc.option(choice, { nil: undefined, freq: 1 }),
  last: fc.option(fc.constantFrom(0, 1, 2, 50), { nil: undefined, freq: 1 }),
  revisions: fc.constantFrom(undefined, true, false),
  stranger: fc.constantFrom(false, false, false, false, true),
  list,
});

const STRANGER = "nobody-has-this-id";

/** The selection as it is read. */
export function selectionOf(look: LookIntent, known: Known): Selection {
  return {
    messages: messagesOf(look, known),
    ...(look.revisions === undefined ? {} : { revisions: look.revisions }),
  };
}

function messagesOf(look: LookIntent, known: Known): MessageSelection {
  const ids = known.held.map((message) => message.id);
  const pick = (which: Choice): string => (look.stranger ? STRANGER : chosenOr(ids, which, STRANGER));
  if (look.select === "all" || look.select === "none") return look.select;
  if (look.select === "ids")
    return { ids: [...ids.filter((_, index) => index % 2 === 0).reverse(), pick(look.after ?? 0)] };
  const archive = look.archive ? chosenOr(known.archiveIds, look.after ?? 0, STRANGER) : undefined;
  return {
    ...(archive === undefined ? {} : { archive }),
    ...(look.after === undefined ? {} : { after: pick(look.after) }),
    ...(look.before === undefined ? {} : { before: pick(look.before) }),
    ...(look.last === undefined ? {} : { last: look.last }),
  };
}

/** The query as it is asked. */
export function queryOf(look: LookIntent, known: Known, now: number): ListQuery {
  const { order, limit, label, parent, since, metadata } = look.list;
  return {
    order,
    limit,
    ...(label === undefined ? {} : { labels: { user: label } }),
    ...(parent ? { parent: known.sessionIds[0] ?? STRANGER } : {}),
    ...(since === undefined ? {} : { updatedSince: since === "past" ? known.startedAt : now }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
