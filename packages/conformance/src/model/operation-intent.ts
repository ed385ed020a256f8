import type { ContentPart, ExtendOperation, JsonObject, OnExisting } from "@sessions/protocol/backend";
import fc from "fast-check";
import { type Choice, choice } from "./choice.js";
import { type DocumentIntent, documentIntent } from "./document-intent.js";
import { hostileJson, hostileKey, hostileText, labelText } from "./hostile-json.js";
import { type MessageIntent, messageIntent, someParts } from "./message-intent.js";
import { type TurnIntent, turnIntent } from "./turn-intent.js";

/** An operation to send. Its target is chosen when it is sent. */
export type OperationIntent =
  | { readonly op: "append"; readonly messages: readonly MessageIntent[]; readonly onExisting: OnExisting }
  | {
      readonly op: "splice";
      readonly keep: "count" | "through" | "before" | "unknown";
      readonly which: Choice;
      readonly messages: readonly MessageIntent[];
      /** Sends some of the removed messages again. */
      readonly again: boolean;
      readonly force: boolean | undefined;
    }
  | { readonly op: "remove"; readonly which: readonly Choice[]; readonly unknownId: boolean }
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
      readonly unknownId: boolean;
      readonly summary: boolean;
    }
  | { readonly op: "snapshot"; readonly which: Choice }
  | { readonly op: "drop-snapshot"; readonly which: Choice; readonly unknownId: boolean }
  | {
      readonly op: "restore";
      readonly which: Choice;
      readonly unknownId: boolean;
      readonly force: boolean | undefined;
    }
  | {
      readonly op: "set";
      readonly title: string | null | undefined;
      readonly labels: Readonly<Record<string, string | null>> | undefined;
      readonly metadata: JsonObject | undefined;
      readonly expiry: "past" | "future" | "never" | undefined;
      /** Used if `expiry` is undefined. */
      readonly expiresIn: number | null | undefined;
      readonly renewOnUse: boolean | undefined;
    }
  | { readonly op: "count"; readonly deltas: Readonly<Record<string, number>> }
  | { readonly op: "create" | "adopt"; readonly document: DocumentIntent }
  | { readonly op: "delete" }
  | TurnIntent;

/** The target message of an operation: mostly a live one. */
export type Target = "live" | "any" | "unknown";

const target: fc.Arbitrary<Target> = mostly<Target>("live", "any", "unknown");
const unknownId: fc.Arbitrary<boolean> = mostly(false, true);
const force: fc.Arbitrary<boolean | undefined> = mostly<boolean | undefined>(undefined, true, false);
const someMessages: fc.Arbitrary<readonly MessageIntent[]> = fc.array(messageIntent, { maxLength: 3 });

const counterName = fc.constantFrom("turns", "tokens", "__proto__", "toString", "");
const delta = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
);

/** Metadata values. `null` removes a key, so it is frequent. */
const metadata: fc.Arbitrary<JsonObject> = fc
  .array(
    fc.tuple(
      hostileKey,
      fc.oneof({ weight: 3, arbitrary: hostileJson }, { weight: 1, arbitrary: fc.constant(null) }),
    ),
    { maxLength: 3 },
  )
  .map((entries) => Object.fromEntries(entries));

// Mostly the one that lists select by.
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
  title: optional(orNull(hostileText)),
  labels: optional(labels),
  metadata: optional(metadata),
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

/** Any operation. Those that add something are the most frequent. */
export const operationIntent: fc.Arbitrary<OperationIntent> = fc.oneof(
  {
    weight: 14,
    arbitrary: record("append", {
      messages: someMessages,
      onExisting: mostly<OnExisting>("fail", "keep", "replace"),
    }),
  },
  {
    weight: 4,
    arbitrary: record("splice", {
      keep: mostly<"count" | "through" | "before" | "unknown">("count", "through", "before", "unknown"),
      which: choice,
      messages: someMessages,
      again: fc.boolean(),
      force,
    }),
  },
  {
    weight: 2,
    arbitrary: record("remove", { which: fc.array(choice, { minLength: 1, maxLength: 3 }), unknownId }),
  },
  { weight: 3, arbitrary: record("update", { which: choice, message: messageIntent, target }) },
  {
    weight: 4,
    arbitrary: record("extend", {
      which: choice,
      target,
      reasoning: optional(hostileText),
      text: optional(hostileText),
      parts: optional(someParts),
      metadata: optional(metadata),
      status: optional(fc.constantFrom("partial" as const, "interrupted" as const, "complete" as const)),
    }),
  },
  { weight: 4, arbitrary: record("archive", { which: choice, target, again: unknownId }) },
  { weight: 2, arbitrary: record("settle-archive", { which: choice, unknownId, summary: fc.boolean() }) },
  { weight: 3, arbitrary: record("snapshot", { which: choice }) },
  { weight: 1, arbitrary: record("drop-snapshot", { which: choice, unknownId }) },
  { weight: 3, arbitrary: record("restore", { which: choice, unknownId, force }) },
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

/** The first in 5 of 7 cases, one of the others in 2. */
export function mostly<Value>(first: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(first) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

/** `undefined` in half of the cases. */
function optional<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 1 });
}

function orNull<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.option(arbitrary, { nil: null, freq: 4 });
}

function fromEntries(entries: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  return Object.fromEntries(entries);
}
