import type { ContentPart, Message } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import { quotedLines, singleLine } from "./quoted-lines.js";

/** Who said something: kept with the message, as the platform told it. */
export interface Speaker {
  readonly id: string;
  readonly name?: string;
}

/** Where it is kept in a message's metadata. */
export const SPEAKER_KEY = "speaker";
const LONGEST_NAME = 64;

/** Fields of a part that say what it is and where its bytes are. No text: they are put on one line, and not quoted. */
const TECHNICAL_FIELDS: readonly string[] = [
  ...["type", "mediaType", "mimeType", "media_type", "format", "detail", "encoding"],
  ...["data", "image", "url", "image_url", "file", "file_data", "file_id", "id"],
];

/** No header can be made of these, whatever lines they are broken into. */
const BASE64 = /^[\w+/=\s-]*$/;

/** Fields of a part that name a file: handed on as names, so without what a header begins with. */
const NAMING_FIELDS: readonly string[] = ["filename", "name"];

export function speakerMetadata(speaker: Speaker): object {
  return { [SPEAKER_KEY]: { ...speaker } };
}

/**
 * A message with its speaker in front, for a model that must tell several people apart: `[Ann | 42] Hello.` Every further
 * line of what was said begins with `| `, so a line that begins with a bracket is a header, whatever anybody writes.
 */
export function withSpeaker(message: Message): Message {
  const speaker = speakerOf(message);
  if (speaker === undefined || message.role !== "user") return message;
  const header = `[${shownName(speaker.name ?? "")} | ${shownId(speaker.id)}]`;
  return { ...message, content: spoken(header, message.content) };
}

function spoken(header: string, content: Message["content"]): string | readonly ContentPart[] {
  if (typeof content === "string") return `${header} ${quotedLines(content)}`;
  return [{ type: "text", text: header }, ...(content ?? []).map(spokenPart)];
}

function spokenPart(part: ContentPart): ContentPart {
  return { ...part, ...spokenFields(part) };
}

function spokenFields(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, spokenField(key, value)]));
}

function spokenField(key: string, value: unknown): unknown {
  if (typeof value === "string") return spokenText(key, value);
  if (Array.isArray(value)) return value.map((item) => spokenField(key, item));
  return isFields(value) ? spokenFields(value) : value;
}

/**
 * Whatever is not known to be technical is text: which fields are shown to the model depends on who reads the part. A text is quoted
 * from its first line on: it does not stand behind the header, but below it.
 */
function spokenText(key: string, value: string): string {
  if (TECHNICAL_FIELDS.includes(key)) return BASE64.test(value) ? value : singleLine(value);
  if (NAMING_FIELDS.includes(key)) return singleLine(value).replace(/^[^\p{L}\p{N}._-]+/u, "");
  return `| ${quotedLines(value)}`;
}

/** Letters, digits, emoji and a few signs that names have: nothing of which a header is made, and nothing invisible. */
const NOT_IN_NAMES =
  /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}.,'’_@+&-]+|[\p{C}\p{Default_Ignorable_Code_Point}ǀǁ]+/gu;

function shownName(name: string): string {
  const plain = name.normalize("NFKC").replace(NOT_IN_NAMES, " ").replace(/ +/g, " ").trim();
  const short = Array.from(plain).slice(0, LONGEST_NAME).join("").trim();
  return short === "" ? "user" : short;
}

/** Different ids are shown differently: on some platforms people choose their own. */
function shownId(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replaceAll("%40", "@").replaceAll("%3A", ":");
}

function speakerOf(message: Message): Speaker | undefined {
  const speaker = message.metadata?.[SPEAKER_KEY];
  if (!isFields(speaker) || typeof speaker["id"] !== "string") return undefined;
  const { id, name } = speaker;
  return typeof name === "string" ? { id, name } : { id };
}
