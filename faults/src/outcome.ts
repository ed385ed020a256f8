import { SessionError } from "@sessions/protocol";
import type { Fault } from "./fault.js";
import { VerificationFailed } from "./operations/reads.js";

/** What a caller was told: the change is made, nothing was changed, or the outcome is unknown. */
export interface Outcome {
  readonly meaning: "done" | "nothing changed" | "unknown";
  /** The code of the error, or what else was told. */
  readonly told: string;
  /** The result of a read. */
  readonly result?: unknown;
  /** Why this answer is wrong after such a fault. */
  readonly lie?: string;
}

/** Codes that blame the machine. Every other code blames the data or the caller, and both are sound here. */
const TRUE_CODES = ["STORE_FULL", "STORE_UNAVAILABLE", "STORE_BUSY", "OUTCOME_UNKNOWN"] as const;

/** What the caller of a call was told. */
export async function outcomeOf(call: Promise<unknown>, fault: Fault | undefined): Promise<Outcome> {
  try {
    return { meaning: "done", told: "done", result: await call };
  } catch (error) {
    return refusal(error, fault);
  }
}

function refusal(error: unknown, fault: Fault | undefined): Outcome {
  if (error instanceof VerificationFailed) return { meaning: "nothing changed", told: "not sound" };
  const told = SessionError.is(error) ? error.code : String(error);
  const meaning = SessionError.is(error, "OUTCOME_UNKNOWN", "DATA_LOST") ? "unknown" : "nothing changed";
  const lie = lieIn(error, fault);
  return { meaning, told, ...(lie === undefined ? {} : { lie }) };
}

function lieIn(error: unknown, fault: Fault | undefined): string | undefined {
  if (!SessionError.is(error))
    return `it failed with something other than a SessionError: ${inspected(error)}`;
  if (!SessionError.is(error, ...TRUE_CODES))
    return `${error.code} says something that is not true: ${inspected(error)}`;
  const full = fault !== undefined && /ENOSPC|short/.test(fault.kind);
  return error.code === "STORE_FULL" && !full ? "STORE_FULL, and the disk was not full" : undefined;
}

function inspected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
