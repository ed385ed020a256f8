import type { Message, SessionRecord } from "@sessions/protocol/backend";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Takes an expired turn over and leaves its drafts as if somebody were still writing them. */
export const takeoverLeavesDrafts: Control = {
  name: "takeover without interrupting drafts",
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
