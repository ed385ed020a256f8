import { equalJson } from "../../json/equal-json.js";
import type { Json } from "../../json/json.js";
import type { CountOperation, SetOperation } from "../../operations/operation.js";
import { type ApplyOperation, type OperationContext, refusal } from "../operation-context.js";
import { expiryAfter, sameExpiry } from "./expiry.js";

export const applySet: ApplyOperation<SetOperation> = (state, op, context) => {
  const { title: oldTitle, expiresAt: _end, expiresIn: _length, renewOnUse: _renewal, ...rest } = state;
  const labels = patched(state.labels, op.labels);
  const metadata = patched(state.metadata, op.metadata);
  const title = op.title === undefined ? oldTitle : (op.title ?? undefined);
  const expiry = expiryAfter(state, op, context);
  const same =
    labels === state.labels && metadata === state.metadata && title === oldTitle && sameExpiry(expiry, state);
  if (same) return state;
  refuseTooMany(labels, op.maxLabels, context);
  return {
    ...rest,
    labels,
    metadata,
    ...(title === undefined ? {} : { title }),
    ...expiry,
  };
};

export const applyCount: ApplyOperation<CountOperation> = (state, op, context) => {
  const sums: Record<string, number> = Object.fromEntries(
    Object.entries(op.deltas)
      .filter(([, delta]) => delta !== 0)
      .map(([name, delta]) => [name, (own(state.counters, name) ?? 0) + delta]),
  );
  const beyond = Object.entries(sums).find(([, sum]) => !Number.isSafeInteger(sum));
  if (beyond !== undefined) {
    throw refusal(
      context,
      "INVALID_ARGUMENT",
      `Counter "${beyond[0]}" would leave the range of safe integers.`,
      {
        path: `deltas.${beyond[0]}`,
      },
    );
  }
  const counters = patched(state.counters, sums);
  return counters === state.counters ? state : { ...state, counters };
};

function refuseTooMany(labels: object, maxLabels: number | undefined, context: OperationContext): void {
  const found = Object.keys(labels).length;
  if (maxLabels === undefined || found <= maxLabels) return;
  throw refusal(context, "TOO_LARGE", `The session would have ${found} labels; ${maxLabels} are allowed.`, {
    path: "labels",
    limit: maxLabels,
  });
}

/** `record` with the entries of `patch`. `null` removes a key. Returns the same record if nothing differs. */
export function patched<Value extends Json>(
  record: Readonly<Record<string, Value>>,
  patch: Readonly<Record<string, Value | null>> | undefined,
): Readonly<Record<string, Value>> {
  // A Map, because assigning to a key named `__proto__` would set the prototype.
  const entries = new Map(Object.entries(record));
  let changed = false;
  for (const [key, value] of Object.entries(patch ?? {})) {
    const held = entries.get(key);
    if (value === null ? held === undefined : held !== undefined && equalJson(held, value)) continue;
    changed = true;
    if (value === null) entries.delete(key);
    else entries.set(key, value);
  }
  return changed ? Object.fromEntries(entries) : record;
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
