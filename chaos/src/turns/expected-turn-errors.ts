import type { ErrorCode } from "@sessions/protocol";
import { isEach, isExpectedError } from "../worker/expected-errors.js";
import { ModelUnavailable } from "./scripted-model.js";

/** Whether a caller may get this error: one of the model, or one that the store may throw. */
export function isExpectedTurnError(error: unknown, more: readonly ErrorCode[]): boolean {
  return isEach(error, (one) => one instanceof ModelUnavailable || isExpectedError(one, more));
}
