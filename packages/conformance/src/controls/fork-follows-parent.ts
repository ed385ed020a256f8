import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** A fork shows its parent's messages until its own first write. */
export const forkFollowsParent: Control = {
  name: "fork that follows its parent",
  caughtBy: "forks are islands",
  breakPlace: (place) =>
    withRecords(place, async (record, read) => {
      const parent =
        record.parent === undefined || record.revision > 1 ? undefined : await read(record.parent.sessionId);
      return parent === undefined
        ? record
        : { ...record, messages: parent.messages, messageCount: parent.messageCount };
    }),
};
