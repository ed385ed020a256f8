import type { ContentPart, ExtendOperation, JsonObject, OnExisting } from "@sessions/protocol/backend";
import fc from "fast-check";
import { type Choice, choice } from "./choice.js";
import { type DocumentIntent, documentIntent } from "./document-intent.js";
import { hostileJson, hostileKey, hostileText, labelText } from "./hostile-json.js";
import { type MessageIntent, messageIntent, someParts } from "./message-intent.js";
import { type TurnIntent, turnIntent } from "./turn-intent.js";

/** An operation to send; what it refers to is chosen when it is sent. */
export type OperationIntent =
  | { readonly op: "append"; readonly messages: readonly MessageIntent[]; readonly onExisting: OnExisting }
  | {
      readonly op: "splice";
      readonly keep: "count" | "through" | "before" | "nobody";
      readonly which: Choice;
      readonly messages: readonly MessageIntent[];
      /** Sends some of what is cut off again. */
      readonly again: boolean;
      readonly force: boolean | undefined;
    }
  | { readonly op: "remove"; readonly which: readonly Choice[]; readonly stranger: boolean }
  | {
      readonly op: "update";
      readonly which: Choice;
      readonly message: MessageIntent;
      readonly target: Target;
    }
  | {
      readonly op: "extend";
      readonly which: Choice;
      readonly target: Target;
      readonly reasoning: string | undefined;
      readonly text: string | undefined;
      readonly parts: readonly ContentPart[] | undefined;
      readonly metadata: JsonObject | undefined;
      readonly status: ExtendOperation["status"];
    }
  | { readonly op: "archive"; readonly which: Choice; readonly target: Target; readonly again: boolean }
  | {
      readonly op: "settle-archive";
      readonly which: Choice;
      readonly stranger: boolean;
      readonly summary: boolean;
    }
  | { readonly op: "snapshot"; readonly which: Choice }
  | { readonly op: "drop-snapshot"; readonly which: Choice; readonly stranger: boolean }
  | {
      readonly op: "restore";
      readonly which: Choice;
      readonly stranger: boolean;
      readonly force: boolean | undefined;
    }
  | {
      readonly op: "set";
      readonly title: string | null | undefined;
      readonly labels: Readonly<Record<string, string | null>> | undefined;
      readonly metadata: JsonObject | undefined;
      readonly expiry: "past" | "future" | "never" | undefined;
      /** Where no absolute end is set. */
      readonly expiresIn: number | null | undefined;
      readonly renewOnUse: boolean | undefined;
    }
  | { readonly op: "count"; readonly deltas: Readonly<Record<string, number>> }
  | { readonly op: "create" | "adopt"; readonly document: DocumentIntent }
  | { readonly op: "delete" }
  | TurnIntent;

/** Which message an operation is aimed at: mostly a live one. */
export type Target = "live" | "held" | "nobody";

const target: fc.Arbitrary<Target> = rarely<Target>("live", "held", "nobody");
const stranger: fc.Arbitrary<boolean> = rarely(false, true);
const force: fc.Arbitrary<boolean | undefined> = rarely<boolean | undefined>(undefined, true, false);
const some: fc.Arbitrary<readonly MessageIntent[]> = fc.array(messageIntent, { maxLength: 3 });

const counterName = fc.constantFrom("turns", "tokens", "__proto__", "toString", "");
const delta = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
);

/** Metadata values: `null` removes its key, so it comes often. */
const metadata: fc.Arbitrary<JsonObject> = fc
  .array(
    fc.tuple(
      hostileKey,
      fc.oneof({ weight: 3, arbitrary: hostileJson }, { weight: 1, arbitrary: fc.constant(null) }),
    ),
    { maxLength: 3 },
  )
  .map((entries) => Object.fromEntries(entries));

// Mostly the one that listings ask for.
const labelName = fc.constantFrom("user", "user", "user", "agent", "__proto__", "ключ");
const labelValue: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("u1", "u2") },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: labelText },
);

const DAY_MS = 86_400_000;

const labels: fc.Arbitrary<Readonly<Record<string, string | null>>> = fc
  .array(fc.tuple(labelName, labelValue), { maxLength: 2 })
  .map((entries) => Object.fromEntries(entries));

const set: fc.Arbitrary<OperationIntent> = fc.record({
  op: fc.constant("set" as const),
  title: sometimes(orNull(hostileText)),
  labels: sometimes(labels),
  metadata: sometimes(metadata),
  expiry: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("past" as const, "future" as const, "never" as const) },
  ),
  expiresIn: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.constantFrom(500 * DAY_MS, 1000 * DAY_MS, null) },
  ),
  renewOnUse: fc.constantFrom(undefined, undefined, undefined, true, true, false),
});

/** Any operation of the closed set; those that build something up come most often. */
export const operationIntent: fc.Arbitrary<OperationIntent> = fc.oneof(
  {
    weight: 14,
    arbitrary: record("append", {
      messages: some,
      onExisting: rarely<OnExisting>("fail", "keep", "replace"),
    }),
  },
  {
    weight: 4,
    arbitrary: record("splice", {
      keep: rarely<"count" | "through" | "before" | "nobody">("count", "through", "before", "nobody"),
      which: choice,
      messages: some,
      again: fc.boolean(),
      force,
    }),
  },
  {
    weight: 2,
    arbitrary: record("remove", { which: fc.array(choice, { minLength: 1, maxLength: 3 }), stranger }),
  },
  { weight: 3, arbitrary: record("update", { which: choice, message: messageIntent, target }) },
  {
    weight: 4,
    arbitrary: record("extend", {
      which: choice,
      target,
      reasoning: sometimes(hostileText),
      text: sometimes(hostileText),
      parts: sometimes(someParts),
      metadata: sometimes(metadata),
      status: sometimes(fc.constantFrom("partial" as const, "interrupted" as const, "complete" as const)),
    }),
  },
  { weight: 4, arbitrary: record("archive", { which: choice, target, again: stranger }) },
  { weight: 2, arbitrary: record("settle-archive", { which: choice, stranger, summary: fc.boolean() }) },
  { weight: 3, arbitrary: record("snapshot", { which: choice }) },
  { weight: 1, arbitrary: record("drop-snapshot", { which: choice, stranger }) },
  { weight: 3, arbitrary: record("restore", { which: choice, stranger, force }) },
  { weight: 5, arbitrary: set },
  {
    weight: 3,
    arbitrary: record("count", {
      deltas: fc.array(fc.tuple(counterName, delta), { maxLength: 2 }).map(fromEntries),
    }),
  },
  { weight: 4, arbitrary: documentIntent.map((document) => ({ op: "create" as const, document })) },
  { weight: 1, arbitrary: documentIntent.map((document) => ({ op: "adopt" as const, document })) },
  { weight: 1, arbitrary: fc.constant({ op: "delete" as const }) },
  { weight: 12, arbitrary: turnIntent },
);

type Fields<Op extends OperationIntent["op"]> = Omit<Extract<OperationIntent, { readonly op: Op }>, "op">;

function record<Op extends OperationIntent["op"]>(
  op: Op,
  fields: { readonly [Name in keyof Fields<Op>]: fc.Arbitrary<Fields<Op>[Name]> },
): fc.Arbitrary<{ readonly op: Op } & Fields<Op>>;
function record(op: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.record({ op: fc.constant(op), ...fields });
}

/** The first most of the time, the others now and then. */
export function rarely<Value>(first: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(first) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

/** Left out half of the time. */
function sometimes<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 1 });
}

function orNull<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.option(arbitrary, { nil: null, freq: 4 });
}

function fromEntries(entries: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  return Object.fromEntries(entries);
}
