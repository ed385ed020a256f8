import { invalid, readable } from "../arguments/invalid-argument.js";
import { DEFAULT_LIMITS, type Limits } from "../arguments/limits.js";
import { type OptionNames, plainCopy, requireOptions } from "../arguments/options.js";
import { requireCount } from "../arguments/require-value.js";
import type { UuidSource } from "../ids/uuid-v7.js";
import type { Clock } from "../platform/clock.js";
import { systemClock } from "../platform/system-clock.js";

/** The options of `createStore`, for any backend. */
export interface StoreOptions {
  /** How long a computed change or a context is tried again when others change the session in between. @default 10000 */
  readonly conflictDeadlineMs?: number | undefined;
  /** The maximum sizes of arguments. */
  readonly limits?: Partial<Limits> | undefined;
  /** The clock. Tests pass in their own. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Generates ids. @default UUIDv7 */
  readonly ids?: UuidSource | undefined;
}

/** The names of `StoreOptions`, for stores that take more options than these. */
export const STORE_OPTIONS: OptionNames<StoreOptions> = {
  conflictDeadlineMs: "count",
  limits: true,
  clock: true,
  ids: true,
};

interface CheckedStoreOptions {
  readonly conflictDeadlineMs: number;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly ids: UuidSource | undefined;
}

/** The options with their defaults. */
export function requireStoreOptions(given: StoreOptions): CheckedStoreOptions {
  const {
    clock = systemClock,
    ids,
    conflictDeadlineMs = 10_000,
    limits = {},
  } = requireOptions(given, STORE_OPTIONS);
  requireMethods(clock, ["now", "monotonic", "after"], "options.clock");
  if (ids !== undefined) requireMethods(ids, ["next"], "options.ids");
  return { clock, ids, conflictDeadlineMs, limits: requireLimits(limits) };
}

/**
 * The options that are for `createStore`, out of a store's options. A store calls it before it opens anything, so that
 * nothing stays open when an option is invalid.
 */
export function storeOptionsOf(options: StoreOptions): StoreOptions {
  const { conflictDeadlineMs, limits, clock, ids } = plainCopy(options, "options");
  const own = { conflictDeadlineMs, limits, clock, ids };
  requireStoreOptions(own);
  return own;
}

function requireLimits(given: Partial<Limits>): Limits {
  const limits: Record<string, unknown> = {
    ...requireOptions<Partial<Limits>>(given, DEFAULT_LIMITS, "options.limits"),
  };
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === undefined) delete limits[name];
    else requireLimit(limit, `options.limits.${name}`);
  }
  return { ...DEFAULT_LIMITS, ...limits };
}

/** Requires an integer, or infinity for no limit. */
function requireLimit(value: unknown, path: string): void {
  if (value !== Number.POSITIVE_INFINITY) requireCount(value, path);
}

function requireMethods(value: unknown, names: readonly string[], path: string): void {
  const complete = readable(path, () => {
    if (typeof value !== "object" || value === null) return false;
    return names.every((name) => typeof Reflect.get(value, name) === "function");
  });
  if (!complete) throw invalid(path, `must be an object with the methods ${names.join(", ")}.`);
}
