import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { JsonObject } from "@sessions/protocol";
import { objectIn, textField } from "../json/fields.js";
import { timeIn, withoutNulls } from "./foreign-fields.js";
import { foreignMessages } from "./foreign-messages.js";
import { type Imported, importedSession } from "./imported-session.js";
import { type UnreadableInput, unreadableInput } from "./unreadable-input.js";

/** The time of a file, which is the best guess for a chat without times. */
export async function fileTime(file: string): Promise<number> {
  return Math.floor((await stat(file)).mtimeMs);
}

/** The name of a file up to its first dot. */
export function nameOf(file: string): string {
  return basename(file).replace(/\..*$/, "") || basename(file);
}

/** Where a chat comes from, and its id if it has none. */
export interface ChatSource {
  readonly system: string;
  readonly file: string;
  readonly time: number;
  readonly id: string;
  readonly unreadable?: readonly UnreadableInput[];
}

const KNOWN = ["messages", "id", "title", "metadata"];

/** Reads a chat: a list of messages, or an object with such a list. */
export function chatSession(chat: unknown, place: ChatSource): Imported {
  const fields: JsonObject = objectIn(chat) ?? {};
  const values = Array.isArray(chat) ? chat : fields["messages"];
  if (!Array.isArray(values)) return noChat(chat, place);
  const createdAt =
    timeIn(fields["createdAt"]) ?? timeIn(fields["created_at"]) ?? timeIn(fields["created"]) ?? place.time;
  const { messages, unreadable } = foreignMessages(
    values,
    basename(place.file),
    createdAt,
    (at) => `message-${at}`,
  );
  const others = Object.fromEntries(Object.entries(fields).filter(([key]) => !KNOWN.includes(key)));
  const times = messages.map((message) => message.createdAt);
  return importedSession(place.system, {
    id: textField(fields["id"]) ?? place.id,
    title: textField(fields["title"]),
    createdAt: times.reduce((least, time) => Math.min(least, time), createdAt),
    updatedAt: times.reduce((most, time) => Math.max(most, time), createdAt),
    labels: {},
    metadata: withoutNulls({ ...others, ...objectIn(fields["metadata"]) }),
    archives: [],
    live: messages,
    snapshots: [],
    unreadable: [...(place.unreadable ?? []), ...unreadable],
    notes: [],
  });
}

function noChat(value: unknown, { file, unreadable = [] }: ChatSource): Imported {
  const bytes = Buffer.from(JSON.stringify(value));
  return {
    unreadable: [...unreadable, unreadableInput(basename(file), undefined, "is no chat", bytes)],
    notes: [],
  };
}
