import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { listIn, objectIn } from "../json/fields.js";
import { fileLines } from "./file-lines.js";
import { wholeFile } from "./file-size.js";
import { isOfBackup } from "./formats/backup-check.js";
import { isBundle } from "./formats/bundle.js";
import { isOpenVikingSession } from "./formats/openviking.js";
import { InputCutOff } from "./input-cut-off.js";
import { read } from "./json-lines.js";
import { textIn } from "./unreadable-input.js";

/** The kinds of input, and what each of them is, as an object of a sentence. */
export const KIND_NAMES = {
  bundle: "sessions that `sessions export` or `sessions backup` wrote",
  "openai-jsonl": "OpenAI chats or messages, one on each line",
  "ui-messages": "UIMessages of the AI SDK",
  praisonai: "sessions of PraisonAI",
  openviking: "sessions of OpenViking",
} as const;

/** A kind of input. */
export type ImportKind = keyof typeof KIND_NAMES;

/** The kinds of which a file or a folder looks, by the beginning of each file. Empty if it looks like none. */
export async function kindsIn(path: string): Promise<ReadonlySet<ImportKind>> {
  if (!(await stat(path)).isDirectory()) return new Set(listOf(await kindOfFile(path)));
  if (isOpenVikingSession(path)) return new Set(["openviking"]);
  const kinds = new Set<ImportKind>();
  for (const name of (await readdir(path)).sort()) {
    const entry = join(path, name);
    const isFile = (await stat(entry)).isFile();
    if (!isFile && isOpenVikingSession(entry)) kinds.add("openviking");
    if (isFile && /\.(json|jsonl|gz)$/.test(name))
      for (const kind of listOf(await kindOfFile(entry))) kinds.add(kind);
  }
  return kinds;
}

function listOf<Item>(item: Item | undefined): readonly Item[] {
  return item === undefined ? [] : [item];
}

async function kindOfFile(file: string): Promise<ImportKind | undefined> {
  const first = await firstLine(file);
  const value = first === undefined ? undefined : read(first).value;
  if (value !== undefined) return kindOfValue(value, true);
  return file.endsWith(".gz") ? undefined : kindOfValue(read(await wholeFile(file)).value, false);
}

/** The first line that is not blank. `undefined` if there is none, or if the file cannot be unpacked: its import tells why. */
async function firstLine(file: string): Promise<Uint8Array | undefined> {
  try {
    for await (const { bytes } of fileLines(file)) if (textIn(bytes)?.trim() !== "") return bytes;
  } catch (error) {
    if (!(error instanceof InputCutOff) && !file.endsWith(".gz")) throw error;
  }
  return undefined;
}

/** `isLine`: the value is a line of its file, and there may be more of them. */
function kindOfValue(value: unknown, isLine: boolean): ImportKind | undefined {
  const values = Array.isArray(value) ? value : [value];
  const [one] = values;
  if (isBundle(one) || isOfBackup(one)) return "bundle";
  const chat = objectIn(one);
  if (chat === undefined) return undefined;
  if (typeof chat["session_id"] === "string" && Array.isArray(chat["messages"])) return "praisonai";
  const messages = Array.isArray(chat["messages"]) ? listIn(chat["messages"]) : values;
  const isChat =
    messages.length > 0 && messages.every((each) => typeof objectIn(each)?.["role"] === "string");
  if (!isChat) return undefined;
  const hasParts = messages.some((each) => Array.isArray(objectIn(each)?.["parts"]));
  return hasParts || !isLine ? "ui-messages" : "openai-jsonl";
}
