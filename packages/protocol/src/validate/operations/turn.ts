import { invalid, within } from "../../arguments/invalid-argument.js";
import { checkedField, optional } from "../../arguments/optional-field.js";
import { requireId } from "../../arguments/require-id.js";
import { requireBoolean, requireOneOf, requireString } from "../../arguments/require-value.js";
import type { Fields } from "../../json/record.js";
import { type CheckedOperation, type CheckOperation, checkedAsIs } from "../checked-operation.js";

/** The actions that callers may send. `beginTurn` sends the other ones. */
const ACTIONS = ["renew", "interrupt", "end"] as const;
const OUTCOMES = ["completed", "failed", "interrupted", "released"] as const;
const DRAFT_ENDS = ["finish", "interrupt"] as const;

export function requireTurnAction(input: Fields, path: string): (typeof ACTIONS)[number] {
  return requireOneOf(input["action"], ACTIONS, within(path, "action"));
}

export const checkTurn: CheckOperation = (input, path, limits) => {
  switch (requireTurnAction(input, path)) {
    case "renew":
      return checkedAsIs({ op: "turn", action: "renew" });
    case "interrupt":
      return checkInterrupt(input, path, limits);
    case "end":
      return checkEnd(input, path);
  }
};

const checkInterrupt: CheckOperation = (input, path, limits) =>
  checkedAsIs({
    op: "turn",
    action: "interrupt",
    ...checkedField(input, "turnId", path, (id, at) => requireId(id, at, limits)),
    ...checkedField(input, "force", path, requireBoolean),
  });

/** A completed turn finishes its drafts unless the caller says otherwise. Any other end interrupts them. */
function checkEnd(input: Fields, path: string): Omit<CheckedOperation, "op"> {
  const outcome = requireOneOf(input["outcome"], OUTCOMES, within(path, "outcome"));
  const error = checkedField(input, "error", path, requireString);
  const drafts = optional(input["drafts"], within(path, "drafts"), (value, at) =>
    requireOneOf(value, DRAFT_ENDS, at),
  );
  const end = { op: "turn", action: "end", outcome, ...error } as const;
  if (outcome !== "completed" && drafts === "finish")
    throw invalid(within(path, "drafts"), `must not be "finish": only a completed turn does so.`);
  if (outcome !== "completed") return checkedAsIs(end);
  // The default is not part of the fingerprint: versions without `drafts` sent this call without it.
  const { fingerprint } = checkedAsIs(drafts === undefined ? end : { ...end, drafts });
  return { ...checkedAsIs({ ...end, drafts: drafts ?? "finish" }), fingerprint };
}
