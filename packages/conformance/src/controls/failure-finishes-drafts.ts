import type { Message } from "@sessions/protocol";
import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Finishes the drafts of a failed turn. */
export const failureFinishesDrafts: Control = {
  name: "failure that finishes drafts",
  caughtBy: "turns",
  breakPlace: (place) =>
    withRecords(place, (record) =>
      record.lastTurn?.outcome === "failed" ? { ...record, messages: record.messages.map(finished) } : record,
    ),
};

function finished(message: Message): Message {
  if (message.status !== "interrupted") return message;
  const { status: _, ...rest } = message;
  return { ...rest, id: message.id, role: message.role, createdAt: message.createdAt };
}
