import { basename } from "node:path";
import { objectIn } from "../../json/fields.js";
import { chatSession, fileTime, nameOf } from "../chat-session.js";
import { wholeFile } from "../file-size.js";
import type { Imported } from "../imported-session.js";
import { read } from "../json-lines.js";
import { unreadableInput } from "../unreadable-input.js";
import { openaiJsonlSource } from "./openai-jsonl.js";

/** Reads UIMessages of the AI SDK: a list of them, `{ id, messages }`, a list of such objects, or JSON lines of either. */
export async function* uiMessagesSource(file: string): AsyncGenerator<Imported> {
  if (file.endsWith(".jsonl")) return yield* openaiJsonlSource(file);
  const place = { system: "ai-sdk", file, time: await fileTime(file), id: nameOf(file) };
  const bytes = await wholeFile(file);
  const { value: content, problem } = read(bytes);
  if (problem !== undefined)
    return yield { unreadable: [unreadableInput(basename(file), undefined, problem, bytes)], notes: [] };
  if (!Array.isArray(content) || content.every((each) => objectIn(each)?.["messages"] === undefined))
    return yield chatSession(content, place);
  yield* content.map((chat, at) => chatSession(chat, { ...place, id: `${place.id}-${at + 1}` }));
}
