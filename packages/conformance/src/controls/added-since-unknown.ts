import type { SessionRecord } from "@sessions/protocol/backend";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Takes old messages for new ones: what a caller leaves out comes back at the end. */
export const addedSinceUnknown: Control = {
  name: "removed messages come back",
  caughtBy: "base merges",
  breakPlace: (place) => withRecords(place, restamped),
};

function restamped({ revisions, ...record }: SessionRecord): SessionRecord {
  return revisions === undefined ? record : { ...record, revisions: revisions.map(() => record.revision) };
}
