import { isDeepStrictEqual } from "node:util";
import type { Message } from "@sessions/protocol";
import { objectIn, textField, timeIn } from "./foreign-fields.js";
import { type UnreadableInput, unreadableInput } from "./unreadable-input.js";

/** Messages of another system, each with an id and a time, and every field that it had. */
export interface ForeignMessages {
  readonly messages: readonly Message[];
  readonly asides: readonly UnreadableInput[];
}

/**
 * Makes messages of what may be messages. One without an id is named by its place; one without a time gets that of the one
 * before it. One that stands there twice, the same to the last field, is one. What has no role is no message, and is set
 * aside.
 */
export function foreignMessages(
  values: readonly unknown[],
  file: string,
  startedAt: number,
  nameAt: (place: number) => string,
): ForeignMessages {
  const messages = new Map<string, Message>();
  const asides: UnreadableInput[] = [];
  let time = startedAt;
  for (const [at, value] of values.entries()) {
    const fields = objectIn(value);
    const role = textField(fields?.["role"]);
    if (fields === undefined || role === undefined) {
      asides.push(
        unreadableInput(file, at + 1, "is not a message", Buffer.from(JSON.stringify(value) ?? "")),
      );
      continue;
    }
    time = timeOf(fields) ?? time;
    const message = { ...fields, id: textField(fields["id"]) ?? nameAt(at), role, createdAt: time };
    const twin = messages.get(message.id);
    if (twin !== undefined && isDeepStrictEqual(twin, message)) continue;
    const id = twin === undefined ? message.id : nameAt(at);
    messages.set(id, { ...message, id });
  }
  return { messages: [...messages.values()], asides };
}

function timeOf(fields: Readonly<Record<string, unknown>>): number | undefined {
  return timeIn(fields["createdAt"]) ?? timeIn(fields["created_at"]) ?? timeIn(fields["timestamp"]);
}
