import { type Json, type JsonObject, jsonify, type Message } from "@sessions/protocol";
import type { UIMessage } from "ai";
import { isFields } from "../pick-fields.js";

/** What is kept about a message of a chat, beside it: under `chat`, where nothing of a UIMessage can be. */
export interface Marks {
  /** The turn that wrote it. */
  readonly turnId?: string;
  /** What the turn was asked, by its name. */
  readonly asked?: string;
  /** A draft: its content is chunks of the stream, to be added to these parts. */
  readonly base?: Json;
  readonly finishReason?: string;
  /** Metadata that is no object. */
  readonly metadata?: Json;
  /** Fields of the message that the SDK does not know. */
  readonly fields?: Json;
}

/** A message as it is stored. */
export interface StoredMessage {
  readonly id: string;
  readonly role: UIMessage["role"];
  readonly parts: Json;
  readonly metadata?: JsonObject;
  readonly chat?: Marks;
}

/**
 * A UIMessage as the store keeps it: its parts under `parts`, where windows, search and budgets know them. What is no JSON
 * (Dates, Maps in tool outputs) becomes JSON.
 */
export function storedMessage(message: UIMessage, marks: Marks = {}): StoredMessage {
  const { id, role, parts, metadata, ...fields } = message;
  const json = jsonify(metadata);
  const isPlain = isObject(json);
  const chat = {
    ...marks,
    ...(metadata === undefined || isPlain ? {} : { metadata: json }),
    ...(Object.values(fields).every((value) => value === undefined) ? {} : { fields: jsonify(fields) }),
  };
  return {
    id,
    role,
    parts: jsonify(parts),
    ...(isPlain ? { metadata: json } : {}),
    ...(Object.keys(chat).length === 0 ? {} : { chat }),
  };
}

/** The UIMessage in a stored one; `undefined` for a draft, or a message of another making. */
export function uiMessageIn(message: Message): UIMessage | undefined {
  const { id, role, metadata } = message;
  const marks = marksOf(message);
  const kept: unknown = structuredClone({
    ...(isFields(marks.fields) ? marks.fields : {}),
    id,
    role,
    ...(metadata === undefined ? {} : { metadata }),
    ...(marks.metadata === undefined ? {} : { metadata: marks.metadata }),
    parts: message["parts"],
  });
  return isUIMessage(kept) ? kept : undefined;
}

/** Whether a value has the shape of a UIMessage. What its parts hold is not looked at. */
export function isUIMessage(value: unknown): value is UIMessage {
  return (
    isFields(value) &&
    typeof value["id"] === "string" &&
    ["system", "user", "assistant"].includes(String(value["role"])) &&
    Array.isArray(value["parts"]) &&
    value["parts"].every((part) => isFields(part) && typeof part["type"] === "string")
  );
}

export function marksOf(message: Message): Marks {
  const { chat } = message;
  return isMarks(chat) ? chat : {};
}

function isObject(value: Json): value is JsonObject {
  return isFields(value);
}

function isMarks(value: Json | undefined): value is JsonObject & Marks {
  return isFields(value);
}
