import { isRecord } from "@sessions/managed-agent/building-blocks";
import type { ContentPart, Message } from "@sessions/protocol";

/** Who said something: kept with the message, as the platform told it. */
export interface Speaker {
  readonly id: string;
  readonly name?: string;
}

const SPEAKER_KEY = "speaker";
const LONGEST_NAME = 64;

/** Control and format characters (also those that turn text around), and the signs of which a header is made. */
const NOT_IN_NAMES = /[\p{C}\p{Z}[\]|]+/gu;

/** The beginning of a line that looks like a header, also with the wide forms of its signs. */
const LIKE_A_HEADER = /^([\p{C}\p{Z}]*)[[［](?=[^\]］\n]*[|｜])/gmu;

export function speakerMetadata(speaker: Speaker): object {
  return { [SPEAKER_KEY]: { ...speaker } };
}

/**
 * A message with its speaker in front, for a model that must tell several people apart: `[Ann | 42]`. The id is the
 * platform's, so that nobody can be another by taking the same name; neither a name nor a text can make such a line.
 */
export function withSpeaker(message: Message): Message {
  const speaker = speakerOf(message);
  if (speaker === undefined || message.role !== "user") return message;
  const header = `[${harmless(speaker.name ?? "user")} | ${harmless(speaker.id)}]`;
  return { ...message, content: spoken(header, message.content) };
}

function spoken(header: string, content: Message["content"]): string | readonly ContentPart[] {
  if (typeof content === "string") return `${header} ${withoutHeaders(content)}`;
  const parts = (content ?? []).map((part) =>
    part.type === "text" && typeof part["text"] === "string"
      ? { ...part, text: withoutHeaders(part["text"]) }
      : part,
  );
  return [{ type: "text", text: header }, ...parts];
}

function withoutHeaders(text: string): string {
  return text.replace(LIKE_A_HEADER, "$1(");
}

function harmless(name: string): string {
  const plain = name.normalize("NFKC").replace(NOT_IN_NAMES, " ").trim();
  const short = Array.from(plain).slice(0, LONGEST_NAME).join("");
  return short === "" ? "user" : short;
}

function speakerOf(message: Message): Speaker | undefined {
  const speaker = message.metadata?.[SPEAKER_KEY];
  if (!isRecord(speaker) || typeof speaker["id"] !== "string") return undefined;
  const { id, name } = speaker;
  return typeof name === "string" ? { id, name } : { id };
}
