import { within } from "../../arguments/invalid-argument.js";
import { type CheckOperation, checkedAsIs } from "../checked-operation.js";
import { requireCounters, requirePatch } from "../session-fields.js";

export const checkSet: CheckOperation = (input, path, limits) =>
  checkedAsIs(requirePatch(input, path, limits));

export const checkCount: CheckOperation = (input, path, limits) => {
  const deltas = requireCounters(input["deltas"], within(path, "deltas"), limits);
  return checkedAsIs({ op: "count", deltas });
};
