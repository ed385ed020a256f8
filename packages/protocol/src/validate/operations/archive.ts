import { invalid, within } from "../../arguments/invalid-argument.js";
import { field } from "../../arguments/optional-field.js";
import { optionalId, requireId } from "../../arguments/require-id.js";
import { requireString } from "../../arguments/require-value.js";
import { type CheckOperation, checkedAsIs } from "../checked-operation.js";
import { requireMessageText } from "../message-text.js";

export const checkArchive: CheckOperation = (input, path, limits) => {
  const through = requireId(input["through"], within(path, "through"), limits);
  const archiveId = optionalId(input["archiveId"], within(path, "archiveId"), limits);
  return {
    fingerprint: () => ({ op: "archive", through, ...field("archiveId", archiveId) }),
    bytes: 0,
    withIds: (nextId) => ({ op: "archive", through, archiveId: archiveId ?? nextId() }),
  };
};

export const checkSettleArchive: CheckOperation = (input, path, limits) => {
  const archiveId = requireId(input["archiveId"], within(path, "archiveId"), limits);
  if ((input["summary"] === undefined) === (input["error"] === undefined))
    throw invalid(within(path, "summary"), "or an error must be given, and not both.");
  if (input["summary"] === undefined) {
    const error = requireString(input["error"], within(path, "error"));
    return checkedAsIs({ op: "settle-archive", archiveId, error });
  }
  const { text, bytes } = requireMessageText(input["summary"], within(path, "summary"), limits);
  return checkedAsIs({ op: "settle-archive", archiveId, summary: text }, bytes);
};
