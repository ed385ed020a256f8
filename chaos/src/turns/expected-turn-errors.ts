import type { ErrorCode } from "@sessions/protocol";
import { isEach, isExpectedError } from "../worker/expected-errors.js";
import { ModelAway } from "./scripted-model.js";

/** Whether a caller may get this error: the model's own, or one that the store may give. */
export function isExpectedTurnError(error: unknown, more: readonly ErrorCode[]): boolean {
  return isEach(error, (one) => one instanceof ModelAway || isExpectedError(one, more));
}
