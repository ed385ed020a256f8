import { within } from "../../arguments/invalid-argument.js";
import { checkedField, field } from "../../arguments/optional-field.js";
import { optionalId, requireId } from "../../arguments/require-id.js";
import { requireBoolean } from "../../arguments/require-value.js";
import { type CheckOperation, checkedAsIs } from "../checked-operation.js";

export const checkSnapshot: CheckOperation = (input, path, limits) => {
  const name = optionalId(input["name"], within(path, "name"), limits);
  return {
    fingerprint: () => ({ op: "snapshot", ...field("name", name) }),
    bytes: 0,
    withIds: (nextId) => ({ op: "snapshot", name: name ?? nextId() }),
  };
};

export const checkDropSnapshot: CheckOperation = (input, path, limits) =>
  checkedAsIs({ op: "drop-snapshot", name: requireId(input["name"], within(path, "name"), limits) });

export const checkRestore: CheckOperation = (input, path, limits) => {
  const force = checkedField(input, "force", path, requireBoolean);
  const name = requireId(input["name"], within(path, "name"), limits);
  return checkedAsIs({ op: "restore", name, ...force });
};
