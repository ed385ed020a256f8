import { isDeepStrictEqual } from "node:util";
import type { Message } from "@sessions/protocol";
import { objectIn, textField } from "../json/fields.js";
import { timeIn } from "./foreign-fields.js";
import { type UnreadableInput, unreadableInput } from "./unreadable-input.js";

/** Messages of another system, each with an id, a time and all its fields. */
export interface ForeignMessages {
  readonly messages: readonly Message[];
  readonly unreadable: readonly UnreadableInput[];
}

/**
 * Converts values to messages. A message without an id is named by its position; one without a time gets the time of the
 * message before it. A message that occurs twice with the same fields is imported once. A value without a role is no message:
 * it is kept as unreadable input.
 */
export function foreignMessages(
  values: readonly unknown[],
  file: string,
  startedAt: number,
  nameAt: (place: number) => string,
): ForeignMessages {
  const messages = new Map<string, Message>();
  const unreadable: UnreadableInput[] = [];
  let time = startedAt;
  for (const [at, value] of values.entries()) {
    const fields = objectIn(value);
    const role = textField(fields?.["role"]);
    if (fields === undefined || role === undefined) {
      unreadable.push(
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
  return { messages: [...messages.values()], unreadable };
}

function timeOf(fields: Readonly<Record<string, unknown>>): number | undefined {
  return timeIn(fields["createdAt"]) ?? timeIn(fields["created_at"]) ?? timeIn(fields["timestamp"]);
}
