import type { Message, SessionRecord } from "@sessions/protocol/backend";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Leaves the drafts of an interrupted turn partial. */
export const takeoverLeavesDrafts: Control = {
  name: "takeover that leaves drafts partial",
  caughtBy: "turns",
  breakPlace: (place) =>
    withRecords(place, (record) =>
      record.lastTurn?.outcome === "interrupted" ? unfinished(record) : record,
    ),
};

function unfinished(record: SessionRecord): SessionRecord {
  const reopen = (message: Message): Message =>
    message.status === "interrupted" ? { ...message, status: "partial" } : message;
  return { ...record, messages: record.messages.map(reopen) };
}
