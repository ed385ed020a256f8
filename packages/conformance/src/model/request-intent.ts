import type { Json } from "@sessions/protocol";
import fc from "fast-check";
import { type Choice, choice } from "./choice.js";
import { hostileJson } from "./hostile-json.js";
import { type OperationIntent, operationIntent, rarely } from "./operation-intent.js";

/** How a request is named: anew, or as one that was sent before. */
type Naming =
  /** A commit id of the caller's. */
  | "given"
  /** A generated commit id. */
  | "generated"
  /** The very same request once more. */
  | "again"
  /** The id of an earlier request, and another digest. */
  | "reused"
  /** Only whether an earlier request is known. */
  | "asked";

/** A request to send; what it refers to is chosen when it is sent. */
export interface RequestIntent {
  readonly session: number;
  /** Sent as it is, even where there is nothing that it could be about. */
  readonly blind: boolean;
  readonly ops: readonly OperationIntent[];
  readonly naming: Naming;
  readonly which: Choice;
  readonly ifRevision: "right" | "wrong" | undefined;
  readonly ifAbsent: boolean | undefined;
  readonly ifIdle: boolean | undefined;
  /** The token of the turn that runs, of one that once ran, or of none. */
  readonly fence: "current" | "former" | "foreign" | undefined;
  readonly receipt: Json | undefined;
  /** Whose clock its writer measures leases by; none in requests of earlier versions. */
  readonly leaseDomain: "one" | "two" | undefined;
  /** Whether it says that it has seen the leases unchanged: rightly, wrongly, not at all. */
  readonly unchanged: "right" | "wrong" | undefined;
  /** Milliseconds that pass before it is sent; a clock may also be set back. */
  readonly passed: number;
  /** How long ago it says that it was first sent. */
  readonly ageMs: number | undefined;
}

const HOUR_MS = 3_600_000;

export const requestIntent: fc.Arbitrary<RequestIntent> = fc.record({
  session: fc.constantFrom(0, 0, 0, 1, 1, 2),
  blind: often(false, true),
  ops: fc.oneof(
    { weight: 4, arbitrary: fc.array(operationIntent, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(operationIntent, { minLength: 2, maxLength: 3 }) },
  ),
  naming: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Naming>("given") },
    { weight: 5, arbitrary: fc.constant<Naming>("generated") },
    { weight: 2, arbitrary: fc.constantFrom<Naming>("again", "reused", "asked") },
  ),
  which: choice,
  ifRevision: often(undefined, "right" as const, "wrong" as const),
  ifAbsent: often(undefined, true, false),
  ifIdle: often(undefined, true, false),
  fence: rarely<RequestIntent["fence"]>(undefined, "current", "current", "former", "foreign"),
  receipt: fc.option(hostileJson, { nil: undefined, freq: 2 }),
  leaseDomain: fc.constantFrom("one" as const, "one" as const, "two" as const, undefined),
  unchanged: often(undefined, "right" as const, "wrong" as const),
  passed: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 0, 1, 50) },
    { weight: 2, arbitrary: fc.constantFrom(1_500, 40_000, -3_000) },
    { weight: 1, arbitrary: fc.constantFrom(HOUR_MS, 25 * HOUR_MS) },
  ),
  ageMs: often<number | undefined>(undefined, 0, 10, 3 * HOUR_MS, 26 * HOUR_MS),
});

/** The first nearly always. */
function often<Value>(first: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}
