import { within } from "../../arguments/invalid-argument.js";
import { checkedField, field, optional } from "../../arguments/optional-field.js";
import { requireId } from "../../arguments/require-id.js";
import { requireOneOf } from "../../arguments/require-value.js";
import { requireParts } from "../checked-message.js";
import { type CheckOperation, checkedAsIs } from "../checked-operation.js";
import { requireMessageText } from "../message-text.js";
import { requireMetadata } from "../session-fields.js";

const STATUSES = ["partial", "interrupted", "complete"] as const;

export const checkExtend: CheckOperation = (input, path, limits) => {
  const requireText = (value: unknown, at: string) => requireMessageText(value, at, limits);
  const messageId = requireId(input["messageId"], within(path, "messageId"), limits);
  const reasoning = optional(input["reasoning"], within(path, "reasoning"), requireText);
  const text = optional(input["text"], within(path, "text"), requireText);
  const bytes = (reasoning?.bytes ?? 0) + (text?.bytes ?? 0);
  const operation = {
    op: "extend",
    messageId,
    ...field("reasoning", reasoning?.text),
    ...field("text", text?.text),
    ...checkedField(input, "parts", path, (value, at) => requireParts(value, at, limits)),
    ...checkedField(input, "metadata", path, (value, at) => requireMetadata(value, at, limits)),
    ...checkedField(input, "status", path, (value, at) => requireOneOf(value, STATUSES, at)),
  } as const;
  return checkedAsIs(operation, bytes);
};
