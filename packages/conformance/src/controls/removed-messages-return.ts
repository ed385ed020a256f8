import type { SessionRecord } from "@sessions/protocol/backend";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Treats old messages as new ones in a merge: those that the caller has removed return at the end. */
export const removedMessagesReturn: Control = {
  name: "merge that returns removed messages",
  caughtBy: "base merges",
  breakPlace: (place) => withRecords(place, restamped),
};

function restamped({ revisions, ...record }: SessionRecord): SessionRecord {
  return revisions === undefined ? record : { ...record, revisions: revisions.map(() => record.revision) };
}
