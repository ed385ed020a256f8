import type { ErrorCode } from "@sessions/protocol";
import { isTolerable } from "../tolerable.js";
import { ModelAway } from "./scripted-model.js";

/** Whether a caller may get this error: the model's own, or one that the store may give. */
export function isBearable(error: unknown, more: readonly ErrorCode[]): boolean {
  if (error instanceof AggregateError) return error.errors.every((one) => isBearable(one, more));
  return error instanceof ModelAway || isTolerable(error, more);
}
