import type { Clock, Limits, UuidSource } from "@sessions/protocol";
import { count, live, type OptionRule } from "../option-rule.js";

/** The options of every store. */
export const commonOptions: {
  readonly conflictDeadlineMs: OptionRule<number>;
  readonly limits: OptionRule<Partial<Limits>>;
  readonly clock: OptionRule<Clock>;
  readonly ids: OptionRule<UuidSource>;
} = {
  conflictDeadlineMs: count(
    "How long a computed change or a context is tried again when others change the session in between, in milliseconds.",
  ),
  limits: live("an object of limits"),
  clock: live("a clock"),
  ids: live("a source of ids"),
};
