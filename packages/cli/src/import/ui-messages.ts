import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { aside } from "./aside.js";
import { chatSession, fileTime, nameOf } from "./chats.js";
import { objectIn } from "./fields.js";
import type { Imported } from "./imported-session.js";
import { parsed } from "./json-lines.js";
import { openaiJsonlSource } from "./openai-jsonl.js";

/** AI SDK UIMessages: a list of them, `{ id, messages }`, a list of those, or JSON lines of either. */
export async function* uiMessagesSource(file: string): AsyncGenerator<Imported> {
  if (file.endsWith(".jsonl")) return yield* openaiJsonlSource(file);
  const place = { system: "ai-sdk", file, time: await fileTime(file), id: nameOf(file) };
  const bytes = await readFile(file);
  const content = parsed(bytes.toString("utf8"));
  if (content === undefined)
    return yield { asides: [aside(basename(file), undefined, "is not JSON", bytes)], notes: [] };
  if (!Array.isArray(content) || content.every((each) => objectIn(each)?.["messages"] === undefined))
    return yield chatSession(content, place);
  yield* content.map((chat, at) => chatSession(chat, { ...place, id: `${place.id}-${at + 1}` }));
}
