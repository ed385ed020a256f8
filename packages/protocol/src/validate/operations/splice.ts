import { invalid, within } from "../../arguments/invalid-argument.js";
import type { Limits } from "../../arguments/limits.js";
import { checkedField } from "../../arguments/optional-field.js";
import { type OptionNames, plainCopy, refuseUnknown } from "../../arguments/options.js";
import { requireId } from "../../arguments/require-id.js";
import { requireBoolean, requireCount } from "../../arguments/require-value.js";
import type { Fields } from "../../json/record.js";
import type { Keep } from "../../operations/operation.js";
import { requireMessages } from "../checked-message.js";
import { type CheckOperation, checkedWithMessages } from "../checked-operation.js";

export const checkSplice: CheckOperation = (input, path, limits) => {
  const keep = requireKeep(input["keep"], within(path, "keep"), limits);
  const messages = requireMessages(input["messages"] ?? [], within(path, "messages"), limits);
  const force = checkedField(input, "force", path, requireBoolean);
  const fields = { op: "splice", keep: typeof keep === "number" ? keep : { ...keep }, ...force };
  return {
    ...checkedWithMessages(fields, messages, (drafts) => ({
      op: "splice",
      keep,
      messages: drafts,
      ...force,
    })),
    // A replaced history may be as long as a session, so it does not count against the limit of one commit.
    bytes: 0,
  };
};

const KEEP: OptionNames<Exclude<Keep, number>> = { through: true, before: true };

function requireKeep(value: unknown, path: string, limits: Limits): Keep {
  if (typeof value === "number") return requireCount(value, path);
  const keep: Fields = plainCopy(value, path);
  refuseUnknown(keep, KEEP, path);
  const { through, before } = keep;
  if (through !== undefined && before === undefined)
    return { through: requireId(through, within(path, "through"), limits) };
  if (before !== undefined && through === undefined)
    return { before: requireId(before, within(path, "before"), limits) };
  throw invalid(path, "must be a number of messages, { through: messageId } or { before: messageId }.");
}
