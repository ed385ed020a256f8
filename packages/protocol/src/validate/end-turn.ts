import { field, invalid, optional, requireOneOf, requireString, within } from "../arguments/argument.js";
import type { EndTurnOperation } from "../operations/turn-operation.js";

const OUTCOMES = ["completed", "failed", "interrupted", "released"] as const;
const DRAFT_ENDS = ["finish", "interrupt"] as const;

/** The end of a turn as it was given, and as it is sent: a completion finishes drafts unless asked otherwise. */
export function requireEnd(
  input: Readonly<Record<string, unknown>>,
  path: string,
): { readonly given: EndTurnOperation; readonly sent: EndTurnOperation } {
  const outcome = requireOneOf(input["outcome"], OUTCOMES, within(path, "outcome"));
  const error = field("error", optional(input["error"], within(path, "error"), requireString));
  const drafts = optional(input["drafts"], within(path, "drafts"), (value, at) =>
    requireOneOf(value, DRAFT_ENDS, at),
  );
  const end = { op: "turn", action: "end", outcome, ...error } as const;
  if (outcome === "completed") {
    // What callers leave out is no part of what they gave: a repeat of a call of an earlier version is the same call.
    const given = drafts === undefined ? end : { ...end, drafts };
    return { given, sent: { ...end, drafts: drafts ?? "finish" } };
  }
  if (drafts === "finish")
    throw invalid(within(path, "drafts"), `must not be "finish": only a completed turn does so.`);
  return { given: end, sent: end };
}
