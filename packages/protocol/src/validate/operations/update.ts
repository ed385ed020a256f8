import { within } from "../../arguments/invalid-argument.js";
import { requireId } from "../../arguments/require-id.js";
import { requireMessage } from "../checked-message.js";
import { type CheckOperation, checkedWithMessages } from "../checked-operation.js";

export const checkUpdate: CheckOperation = (input, path, limits) => {
  const checked = requireMessage(input["message"], within(path, "message"), limits);
  const id = requireId(checked.json["id"], `${within(path, "message")}.id`, limits);
  return checkedWithMessages({ op: "update" }, [checked], ([message]) => ({
    op: "update",
    message: message ?? { id, role: "" },
  }));
};
