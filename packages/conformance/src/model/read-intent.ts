import type { ListOrder, ListQuery, MessageSelection, Selection } from "@sessions/protocol/backend";
import fc from "fast-check";
import { LIST_ORDERS } from "../samples/list-orders.js";
import { type Choice, choice, chosenOr } from "./choice.js";
import type { SessionView } from "./session-view.js";
import { UNKNOWN_ID } from "./unknown-id.js";

/** What to read after a step. */
export interface ReadIntent {
  /** Which of the two instances reads. */
  readonly instance: 0 | 1;
  /** Which sessions, in this order. Of sessions that it does not read, an instance keeps older cached states. */
  readonly sessions: readonly number[];
  /** Reads also the whole document of each. */
  readonly whole: boolean;
  readonly select: "all" | "none" | "ids" | "range";
  readonly archive: boolean;
  readonly after: Choice | undefined;
  readonly before: Choice | undefined;
  readonly last: number | undefined;
  readonly revisions: boolean | undefined;
  /** Uses an id that does not exist. */
  readonly unknownId: boolean;
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

export const readIntent: fc.Arbitrary<ReadIntent> = fc.record({
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
  unknownId: fc.constantFrom(false, false, false, false, true),
  list,
});

/** The selection to read. */
export function selectionOf(intent: ReadIntent, view: SessionView): Selection {
  return {
    messages: messagesOf(intent, view),
    ...(intent.revisions === undefined ? {} : { revisions: intent.revisions }),
  };
}

function messagesOf(intent: ReadIntent, view: SessionView): MessageSelection {
  const ids = view.messages.map((message) => message.id);
  const pick = (which: Choice): string => (intent.unknownId ? UNKNOWN_ID : chosenOr(ids, which, UNKNOWN_ID));
  if (intent.select === "all" || intent.select === "none") return intent.select;
  if (intent.select === "ids")
    return { ids: [...ids.filter((_, index) => index % 2 === 0).reverse(), pick(intent.after ?? 0)] };
  const archive = intent.archive ? chosenOr(view.archiveIds, intent.after ?? 0, UNKNOWN_ID) : undefined;
  return {
    ...(archive === undefined ? {} : { archive }),
    ...(intent.after === undefined ? {} : { after: pick(intent.after) }),
    ...(intent.before === undefined ? {} : { before: pick(intent.before) }),
    ...(intent.last === undefined ? {} : { last: intent.last }),
  };
}

/** The query to list. */
export function queryOf(intent: ReadIntent, view: SessionView, now: number): ListQuery {
  const { order, limit, label, parent, since, metadata } = intent.list;
  return {
    order,
    limit,
    ...(label === undefined ? {} : { labels: { user: label } }),
    ...(parent ? { parent: view.sessionIds[0] ?? UNKNOWN_ID } : {}),
    ...(since === undefined ? {} : { updatedSince: since === "past" ? view.startedAt : now }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
