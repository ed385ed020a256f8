import { within } from "../../arguments/invalid-argument.js";
import { type CheckOperation, checkedAsIs } from "../checked-operation.js";
import { requireDocument } from "../document/document.js";

export const checkCreate: CheckOperation = checkDocument("create");

export const checkAdopt: CheckOperation = checkDocument("adopt");

function checkDocument(op: "create" | "adopt"): CheckOperation {
  return (input, path, limits) =>
    checkedAsIs({ op, document: requireDocument(input["document"], within(path, "document"), limits) });
}
