import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** A fork is a view of its parent until it has written something. */
export const forkShares: Control = {
  name: "fork that shares",
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
