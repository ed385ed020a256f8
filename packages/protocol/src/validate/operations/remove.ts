import { within } from "../../arguments/invalid-argument.js";
import { requireIds } from "../../arguments/require-id.js";
import { type CheckOperation, checkedAsIs } from "../checked-operation.js";

export const checkRemove: CheckOperation = (input, path, limits) => {
  const messageIds = requireIds(input["messageIds"], within(path, "messageIds"), limits);
  return checkedAsIs({ op: "remove", messageIds });
};
