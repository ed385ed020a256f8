import { invalid, within } from "../arguments/invalid-argument.js";
import { field, optional } from "../arguments/optional-field.js";
import { requireBoolean, requireTime } from "../arguments/require-value.js";
import { shown } from "../arguments/shown-value.js";
import type { SetOperation } from "../operations/operation.js";

/** The range of a `Date`. A later expiry could not be represented as one. */
const MAX_EXPIRES_IN_MS = 8_640_000_000_000_000;

type GivenExpiry = Pick<SetOperation, "expiresAt" | "expiresIn" | "renewOnUse">;

/** Checks the three fields of an expiry, and their combination. `null` removes. */
export function requireExpiry(given: Readonly<Record<string, unknown>>, path: string): GivenExpiry {
  const at = (name: string): string => within(path, name);
  const expiry = {
    ...field("expiresAt", optional(given["expiresAt"], at("expiresAt"), orNull(requireTime))),
    ...field("expiresIn", optional(given["expiresIn"], at("expiresIn"), orNull(requireLength))),
    ...field("renewOnUse", optional(given["renewOnUse"], at("renewOnUse"), requireBoolean)),
  };
  if (expiry.expiresAt !== undefined && expiry.expiresIn !== undefined)
    throw invalid(at("expiresIn"), "must not be given together with expiresAt: a session has one end.");
  const isRelative = expiry.expiresAt === undefined && expiry.expiresIn !== null;
  if (expiry.renewOnUse === true && !isRelative)
    throw invalid(at("renewOnUse"), "needs a relative expiry: give expiresIn in milliseconds.");
  return expiry;
}

/** Requires a duration in milliseconds. */
function requireLength(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw invalid(
      path,
      `must be a number of milliseconds, a whole one of at least 1, not ${shown(value)}. (30 minutes: 30 * 60_000.)`,
    );
  if (value > MAX_EXPIRES_IN_MS) throw invalid(path, `must be at most ${MAX_EXPIRES_IN_MS} milliseconds.`);
  return value;
}

/** Checks the expiry of a whole session: `expiresIn` requires `expiresAt`, and `renewOnUse` requires `expiresIn`. */
export function checkStoredExpiry(document: Readonly<Record<string, unknown>>, path: string): void {
  const at = (name: string): string => within(path, name);
  const expiresAt = optional(document["expiresAt"], at("expiresAt"), requireTime);
  const expiresIn = optional(document["expiresIn"], at("expiresIn"), requireLength);
  const renewOnUse = optional(document["renewOnUse"], at("renewOnUse"), requireBoolean);
  if (expiresIn !== undefined && expiresAt === undefined)
    throw invalid(at("expiresIn"), "needs an expiresAt: a stored session has an absolute end.");
  if (renewOnUse !== undefined && expiresIn === undefined)
    throw invalid(at("renewOnUse"), "needs an expiresIn.");
}

function orNull<Value>(check: (value: unknown, path: string) => Value) {
  return (given: unknown, path: string): Value | null => (given === null ? null : check(given, path));
}
