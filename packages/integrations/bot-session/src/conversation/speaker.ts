import type { ContentPart, Message } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import { quotedLines, singleLine } from "./quoted-lines.js";

/** The sender of a message, as the platform names it: stored with the message. */
export interface Speaker {
  readonly id: string;
  readonly name?: string;
}

/** The metadata key of the speaker. */
export const SPEAKER_KEY = "speaker";
const MAX_NAME_CHARS = 64;

/** Fields of a part that describe it or locate its bytes. They are no text: they are put on one line, and not quoted. */
const TECHNICAL_FIELDS: readonly string[] = [
  ...["type", "mediaType", "mimeType", "media_type", "format", "detail", "encoding"],
  ...["data", "image", "url", "image_url", "file", "file_data", "file_id", "id"],
];

/** No header can be written with these characters, even across several lines. */
const BASE64 = /^[\w+/=\s-]*$/;

/** Fields of a part that name a file: characters that a header begins with are removed from their start. */
const NAMING_FIELDS: readonly string[] = ["filename", "name"];

export function speakerMetadata(speaker: Speaker): object {
  return { [SPEAKER_KEY]: { ...speaker } };
}

/**
 * A message with a header that names its speaker, for a model that must tell several people apart: `[Ann | 42] Hello.` Every further
 * line of the message begins with `| `, so a line that begins with a bracket is always a header.
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
 * Every field that is not technical is taken for text, because runners differ in which fields they show to the model. Text is quoted
 * from its first line on: it comes below the header, not behind it.
 */
function spokenText(key: string, value: string): string {
  if (TECHNICAL_FIELDS.includes(key)) return BASE64.test(value) ? value : singleLine(value);
  if (NAMING_FIELDS.includes(key)) return singleLine(value).replace(/^[^\p{L}\p{N}._-]+/u, "");
  return `| ${quotedLines(value)}`;
}

/** Names keep letters, digits, emoji and a few signs: nothing that a header is made of, and nothing invisible. */
const NOT_IN_NAMES =
  /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}.,'’_@+&-]+|[\p{C}\p{Default_Ignorable_Code_Point}ǀǁ]+/gu;

function shownName(name: string): string {
  const plain = name.normalize("NFKC").replace(NOT_IN_NAMES, " ").replace(/ +/g, " ").trim();
  const short = Array.from(plain).slice(0, MAX_NAME_CHARS).join("").trim();
  return short === "" ? "user" : short;
}

/** Different ids stay different: on some platforms users choose their own. */
function shownId(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replaceAll("%40", "@").replaceAll("%3A", ":");
}

function speakerOf(message: Message): Speaker | undefined {
  const speaker = message.metadata?.[SPEAKER_KEY];
  if (!isFields(speaker) || typeof speaker["id"] !== "string") return undefined;
  const { id, name } = speaker;
  return typeof name === "string" ? { id, name } : { id };
}
