import { within } from "../../arguments/invalid-argument.js";
import { requireOneOf } from "../../arguments/require-value.js";
import { requireMessages } from "../checked-message.js";
import { type CheckOperation, checkedWithMessages } from "../checked-operation.js";

const ON_EXISTING = ["fail", "keep", "replace"] as const;

export const checkAppend: CheckOperation = (input, path, limits) => {
  const messages = requireMessages(input["messages"], within(path, "messages"), limits);
  const onExisting = requireOneOf(input["onExisting"] ?? "fail", ON_EXISTING, within(path, "onExisting"));
  const fields = { op: "append", onExisting } as const;
  return checkedWithMessages(fields, messages, (drafts) => ({ op: "append", messages: drafts, onExisting }));
};
