import {
  extend,
  type Json,
  type JsonObject,
  jsonify,
  type Message,
  type MessageInput,
  type OperationInput,
} from "@sessions/protocol";
import type { CheckpointSource } from "@sessions/turn-runner";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { type Marks, marksOf, type StoredMessage, uiMessageIn } from "../messages/stored-message.js";
import { isFields } from "../pick-fields.js";

/** A new draft: an answer of which nothing has come yet, or the beginning of one that goes on. */
export function emptyDraft(answerId: string, marks: Marks, base?: StoredMessage): MessageInput {
  return {
    id: answerId,
    role: "assistant",
    status: "partial",
    content: [],
    chat: { ...base?.chat, ...marks, base: base?.parts ?? [] },
    ...(base?.metadata === undefined ? {} : { metadata: base.metadata }),
  };
}

/** Whether a message is a draft, finished or not: the log of a stream. */
export function isDraft(message: Message): boolean {
  return marksOf(message).base !== undefined && Array.isArray(message.content);
}

/** The message that a draft has come to: the SDK itself makes it of the chunks. */
export async function draftedMessage(message: Message): Promise<UIMessage> {
  const { content } = message;
  const base = uiMessageIn({ ...message, parts: marksOf(message).base });
  if (base === undefined)
    throw new TypeError(`The draft of message "${message.id}" has no parts to begin with.`);
  return (await folded(base, Array.isArray(content) ? content : [])).message;
}

/** What a stream makes of a message. */
export interface Folded {
  /** As far as the SDK understood the stream. */
  readonly message: UIMessage;
  /** Why it did not understand the rest. */
  readonly failure?: { readonly error: unknown };
}

/** A message with what a stream adds to it. */
export async function folded(base: UIMessage, chunks: readonly Json[]): Promise<Folded> {
  let message = structuredClone(base);
  let failure: Folded["failure"];
  const told = joined(chunks).filter(isChunk);
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of told) controller.enqueue(chunk);
      // Changes nothing, and has the SDK tell the last state: a step that has just begun is not told by itself.
      controller.enqueue({ type: "start", messageId: base.id });
      controller.close();
    },
  });
  const onError = (error: unknown): void => {
    failure ??= { error };
  };
  for await (const state of readUIMessageStream({ message, stream, onError })) message = state;
  return failure === undefined ? { message } : { message, failure };
}

/** A chunk that can be stored and sent. TypeError if it is none. */
export function jsonChunk(value: unknown): Json & UIMessageChunk {
  const json = jsonify(value);
  if (isChunk(json)) return json;
  throw new TypeError("The stream of an answer has something in it that is no chunk: an object with a type.");
}

function isChunk(value: Json): value is Json & UIMessageChunk {
  return isFields(value) && typeof value["type"] === "string";
}

/** The chunks of an answer, saved bit by bit. */
export class ChunkLog implements CheckpointSource {
  readonly #answerId: string;
  readonly #saved: Json[] = [];
  /** What was taken last: whether it could be saved is known when more is taken. */
  #taken: readonly Json[] = [];
  #pending: Json[] = [];
  #chars = 0;

  constructor(answerId: string) {
    this.#answerId = answerId;
  }

  get pendingChars(): number {
    return this.#chars;
  }

  /** How many of the last chunks may not be saved. */
  get unsaved(): number {
    return this.#taken.length + this.#pending.length;
  }

  /** The chunks so far, without so many of the last ones. */
  chunks(dropped = 0): readonly Json[] {
    const unsaved = [...this.#taken, ...this.#pending];
    return [...this.#saved, ...unsaved.slice(0, unsaved.length - dropped)];
  }

  add(chunk: Json): void {
    this.#pending.push(chunk);
    this.#chars += 1 + (deltaIn(chunk)?.text.length ?? 0);
  }

  /** What was taken last is saved. */
  confirm(): void {
    this.#saved.push(...joined(this.#taken));
    this.#taken = [];
  }

  take(): readonly OperationInput[] {
    this.confirm(); // nobody takes more before that
    this.#taken = this.#pending;
    this.#pending = [];
    this.#chars = 0;
    const parts = joined(this.#taken).filter(isObject);
    return parts.length === 0 ? [] : [extend(this.#answerId, { parts })];
  }
}

/** With one delta in place of several that follow each other: a stream is as long as it was saved often. */
function joined(chunks: readonly Json[]): readonly Json[] {
  const result: Json[] = [];
  let texts: string[] = [];
  let last: Delta | undefined;
  const close = (): void => {
    if (last !== undefined) result.push({ ...last.chunk, [last.field]: texts.join("") });
    last = undefined;
    texts = [];
  };
  for (const chunk of chunks) {
    const delta = deltaIn(chunk);
    if (delta === undefined || delta.key !== last?.key) close();
    if (delta === undefined) result.push(chunk);
    else {
      last ??= delta;
      texts.push(delta.text);
    }
  }
  close();
  return result;
}

interface Delta {
  readonly chunk: JsonObject;
  /** Where its text is. */
  readonly field: "delta" | "inputTextDelta";
  readonly text: string;
  /** The same for all deltas of a part. */
  readonly key: string;
}

function deltaIn(chunk: Json): Delta | undefined {
  if (!isObject(chunk) || chunk["providerMetadata"] !== undefined) return undefined;
  const field = chunk["type"] === "tool-input-delta" ? "inputTextDelta" : "delta";
  const text = chunk[field];
  const isDelta = String(chunk["type"]).endsWith("-delta") && typeof text === "string";
  const key = JSON.stringify([chunk["type"], chunk["id"] ?? chunk["toolCallId"]]);
  return isDelta ? { chunk, field, text, key } : undefined;
}

function isObject(value: Json): value is JsonObject {
  return isFields(value);
}
