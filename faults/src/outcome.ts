import { SessionError } from "@sessions/protocol";
import type { Fault } from "./fault.js";
import { VerificationFailed } from "./operations/reads.js";
import { stackOf } from "./stack-of.js";

/** The answer that a caller got, and what it says about the data. */
export interface Outcome {
  /** What the answer says: the change is made, nothing was changed, or the outcome is unknown. */
  readonly effect: "done" | "nothing changed" | "unknown";
  /** "done", the code of the error, or another text. */
  readonly answer: string;
  /** The result of a read. */
  readonly result?: unknown;
  /** Why this answer is wrong after such a fault. */
  readonly wrongAnswer?: string;
}

/** Codes that blame the machine. Any other code blames the data or the caller, which are sound in these trials. */
const ALLOWED_CODES = ["STORE_FULL", "STORE_UNAVAILABLE", "STORE_BUSY", "OUTCOME_UNKNOWN"] as const;

/** Awaits a call and describes its answer. */
export async function outcomeOf(call: Promise<unknown>, fault: Fault | undefined): Promise<Outcome> {
  try {
    return { effect: "done", answer: "done", result: await call };
  } catch (error) {
    return refusal(error, fault);
  }
}

function refusal(error: unknown, fault: Fault | undefined): Outcome {
  if (error instanceof VerificationFailed) return { effect: "nothing changed", answer: "not sound" };
  const answer = SessionError.is(error) ? error.code : String(error);
  const effect = SessionError.is(error, "OUTCOME_UNKNOWN", "DATA_LOST") ? "unknown" : "nothing changed";
  const wrongAnswer = reasonWhyWrong(error, fault);
  return { effect, answer, ...(wrongAnswer === undefined ? {} : { wrongAnswer }) };
}

function reasonWhyWrong(error: unknown, fault: Fault | undefined): string | undefined {
  if (!SessionError.is(error)) return `it failed with something other than a SessionError: ${stackOf(error)}`;
  if (!SessionError.is(error, ...ALLOWED_CODES))
    return `${error.code} says something that is not true: ${stackOf(error)}`;
  const full = fault !== undefined && /ENOSPC|short/.test(fault.kind);
  return error.code === "STORE_FULL" && !full ? "STORE_FULL, and the disk was not full" : undefined;
}
