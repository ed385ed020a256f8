import type { Message } from "@sessions/protocol";
import { type Aside, aside } from "./aside.js";
import { objectIn, textField, timeIn } from "./fields.js";

/** Messages of another system, each with an id and a time, and every field that it had. */
export interface ForeignMessages {
  readonly messages: readonly Message[];
  readonly asides: readonly Aside[];
}

/**
 * Makes messages of what may be messages. One without an id is named by its place; one without a time gets that of the one
 * before it. What has no role is no message, and is set aside.
 */
export function foreignMessages(
  values: readonly unknown[],
  file: string,
  startedAt: number,
  first = 0,
): ForeignMessages {
  const messages: Message[] = [];
  const asides: Aside[] = [];
  const taken = new Set<string>();
  let time = startedAt;
  for (const [at, value] of values.entries()) {
    const fields = objectIn(value);
    const role = textField(fields?.["role"]);
    if (fields === undefined || role === undefined) {
      asides.push(aside(file, at + 1, "is not a message", Buffer.from(JSON.stringify(value) ?? "")));
      continue;
    }
    const own = textField(fields["id"]);
    const id = own === undefined || taken.has(own) ? `message-${first + at}` : own;
    taken.add(id);
    time = timeOf(fields) ?? time;
    messages.push({ ...fields, id, role, createdAt: time });
  }
  return { messages, asides };
}

function timeOf(fields: Readonly<Record<string, unknown>>): number | undefined {
  return timeIn(fields["createdAt"]) ?? timeIn(fields["created_at"]) ?? timeIn(fields["timestamp"]);
}
