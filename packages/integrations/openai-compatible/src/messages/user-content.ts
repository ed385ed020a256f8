import { type JsonObject, textOf } from "@sessions/protocol";
import { type Fields, fieldsAt, objectsAt, stringAt } from "@sessions/turn-runner";
import type { Sendable } from "./chat-message.js";

/** The content of a user message for the endpoint. Text alone is sent as a string: some endpoints accept nothing else. */
export function userContent(message: Sendable): string | readonly JsonObject[] {
  const parts = objectsAt(message, "content").flatMap(chatPart);
  return parts.every((part) => part["type"] === "text") ? textOf(message) : parts;
}

function chatPart(part: Fields): readonly JsonObject[] {
  switch (part["type"]) {
    case "text":
    case "input_text":
      return textPart(stringAt(part, "text"));
    case "image":
      return imagePart(stringAt(part, "image"), mediaTypeOf(part));
    case "image_url":
      return imagePart(stringAt(fieldsAt(part, "image_url"), "url"), undefined);
    case "input_image":
      return imagePart(stringAt(part, "image_url"), undefined);
    case "input_audio":
      return audioPart(fieldsAt(part, "input_audio"));
    case "file":
      return filePart(part);
    default:
      return [];
  }
}

function textPart(text: string | undefined): readonly JsonObject[] {
  return text === undefined ? [] : [{ type: "text", text }];
}

function imagePart(image: string | undefined, mediaType: string | undefined): readonly JsonObject[] {
  return image === undefined
    ? []
    : [{ type: "image_url", image_url: { url: urlOf(image, mediaType ?? "image/png") } }];
}

function audioPart(audio: Fields): readonly JsonObject[] {
  const data = stringAt(audio, "data");
  const format = stringAt(audio, "format") ?? "wav";
  return data === undefined ? [] : [{ type: "input_audio", input_audio: { data, format } }];
}

/** The AI SDK's `{ data, mediaType, filename }`, or OpenAI's `{ file: { file_data, file_id, filename } }`. */
function filePart(part: Fields): readonly JsonObject[] {
  const file = fieldsAt(part, "file");
  const id = stringAt(file, "file_id");
  if (id !== undefined) return [{ type: "file", file: { file_id: id } }];
  const data = stringAt(part, "data") ?? stringAt(file, "file_data");
  const filename = stringAt(part, "filename") ?? stringAt(file, "filename") ?? "file";
  return data === undefined ? [] : dataPart(data, filename, mediaTypeOf(part) ?? "application/octet-stream");
}

const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
]);

function dataPart(data: string, filename: string, mediaType: string): readonly JsonObject[] {
  if (mediaType.startsWith("image/")) return imagePart(data, mediaType);
  // Endpoints accept files as data only. The model may have a tool that can fetch.
  if (isAddress(data)) return textPart(`(file ${filename}, ${mediaType}: ${data})`);
  const format = AUDIO_FORMATS.get(mediaType);
  if (format !== undefined) return audioPart({ data: data.replace(/^data:[^,]*,/, ""), format });
  return [{ type: "file", file: { filename, file_data: urlOf(data, mediaType) } }];
}

/** URLs and data URLs are kept; anything else is base64. */
function urlOf(data: string, mediaType: string): string {
  return isAddress(data) || data.startsWith("data:") ? data : `data:${mediaType};base64,${data}`;
}

function isAddress(data: string): boolean {
  return /^https?:\/\//.test(data);
}

/** A data URL needs a concrete type, not `image/*`. */
function mediaTypeOf(part: Fields): string | undefined {
  const type = stringAt(part, "mediaType", "mimeType");
  return type?.includes("*") ? undefined : type;
}
