import { basename } from "node:path";
import { objectIn } from "../../json/fields.js";
import { chatSession, fileTime, nameOf } from "../chat-session.js";
import type { Imported } from "../imported-session.js";
import { jsonLines } from "../json-lines.js";
import { noSessionsIn } from "../no-sessions.js";
import type { UnreadableInput } from "../unreadable-input.js";

/** Reads a file with a chat on each line (`{"messages":[…]}`), or one chat with a message on each line. */
export async function* openaiJsonlSource(file: string): AsyncGenerator<Imported> {
  const place = { system: "openai", file, time: await fileTime(file) };
  const single: unknown[] = [];
  const unreadable: UnreadableInput[] = [];
  let isEmpty = true;
  for await (const line of jsonLines(file, basename(file))) {
    isEmpty = false;
    if ("unreadable" in line) unreadable.push(line.unreadable);
    else if (objectIn(line.value)?.["role"] === undefined)
      yield chatSession(line.value, { ...place, id: `${nameOf(file)}-${line.number}` });
    else single.push(line.value);
  }
  if (single.length > 0) yield chatSession(single, { ...place, id: nameOf(file), unreadable });
  else if (unreadable.length > 0) yield { unreadable, notes: [] };
  else if (isEmpty) throw noSessionsIn(file);
}
