import { type Json, type JsonObject, jsonify } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import type { UIMessageChunk } from "ai";

/** A chunk as JSON, which can be stored and sent. TypeError if it is not a chunk. */
export function jsonChunk(value: unknown): Json & UIMessageChunk {
  const json = jsonify(value);
  if (isChunk(json)) return json;
  throw new TypeError("The stream of an answer has something in it that is no chunk: an object with a type.");
}

export function isChunk(value: Json): value is Json & UIMessageChunk {
  return isFields(value) && typeof value["type"] === "string";
}

/** The number of characters of a delta; 0 for any other chunk. */
export function deltaLength(chunk: Json): number {
  return deltaIn(chunk)?.text.length ?? 0;
}

/** The chunks with successive deltas of one part joined, so that a stored stream has one delta per checkpoint. */
export function joinDeltas(chunks: readonly Json[]): readonly Json[] {
  const result: Json[] = [];
  let texts: string[] = [];
  let first: Delta | undefined;
  const close = (): void => {
    if (first !== undefined) result.push({ ...first.chunk, [first.field]: texts.join("") });
    first = undefined;
    texts = [];
  };
  for (const chunk of chunks) {
    const delta = deltaIn(chunk);
    if (delta === undefined || delta.key !== first?.key) close();
    if (delta === undefined) result.push(chunk);
    else {
      first ??= delta;
      texts.push(delta.text);
    }
  }
  close();
  return result;
}

interface Delta {
  readonly chunk: JsonObject;
  /** The field with the text. */
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

export function isObject(value: Json): value is JsonObject {
  return isFields(value);
}
