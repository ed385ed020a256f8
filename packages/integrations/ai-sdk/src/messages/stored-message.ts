import { type Json, type JsonObject, jsonify, type Message } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import type { UIMessage } from "ai";
import { isUIPart } from "./ui-part.js";

/** What the chat stores about a message, under the field `chat`, which no UIMessage has. */
export interface ChatMarks {
  /** The turn that wrote the message. */
  readonly turnId?: string;
  /** The request that the turn answers: see `requestName`. */
  readonly asked?: string;
  /** Of a draft: its content is chunks of the stream, which are added to these parts. */
  readonly base?: Json;
  readonly finishReason?: string;
  /** Metadata that is not an object. */
  readonly metadata?: Json;
  /** Fields of the message that the SDK does not define. */
  readonly fields?: Json;
}

/** A UIMessage as it is stored. */
export interface StoredMessage {
  readonly id: string;
  readonly role: UIMessage["role"];
  readonly parts: Json;
  readonly metadata?: JsonObject;
  readonly chat?: ChatMarks;
}

/**
 * A UIMessage as it is stored: its parts under `parts`, where windows, search and budgets find them. Values that are not JSON (Dates,
 * Maps in tool outputs) become JSON.
 */
export function storedMessage(message: UIMessage, marks: ChatMarks = {}): StoredMessage {
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

/** The UIMessage in a stored one; `undefined` for a draft, and for a message that no chat wrote. */
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

/** Whether a value has the shape of a UIMessage. The content of its parts is not checked. */
export function isUIMessage(value: unknown): value is UIMessage {
  return (
    isFields(value) &&
    typeof value["id"] === "string" &&
    ["system", "user", "assistant"].includes(String(value["role"])) &&
    Array.isArray(value["parts"]) &&
    value["parts"].every(isUIPart)
  );
}

export function marksOf(message: Message): ChatMarks {
  const { chat } = message;
  return isMarks(chat) ? chat : {};
}

function isObject(value: Json): value is JsonObject {
  return isFields(value);
}

function isMarks(value: Json | undefined): value is JsonObject & ChatMarks {
  return isFields(value);
}
