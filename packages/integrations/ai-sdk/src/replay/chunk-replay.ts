import { equalJson, type Json, jsonify } from "@sessions/protocol/integration";
import { type Fields, isFields } from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";
import { pickFields } from "../pick-fields.js";
import { toolChunks } from "./tool-chunks.js";

/**
 * Tells a message as the chunks of a stream that makes it. Given the same message as it has grown, it tells what is new: a
 * page that has read all chunks so far has the message as it is stored.
 */
export class ChunkReplay {
  readonly #told: Fields[] = [];
  #metadata: Json | undefined;
  #hasStarted = false;

  /** `known` is what the reader has already. */
  constructor(known?: UIMessage) {
    this.#told.push(...(known?.parts ?? []));
    this.#metadata = known?.metadata === undefined ? undefined : jsonify(known.metadata);
  }

  /** The chunks that were not told yet. */
  chunks(message: UIMessage): UIMessageChunk[] {
    const told = [
      ...this.#start(message),
      ...message.parts.flatMap((part, index) => this.#part(part, index)),
    ];
    return told.filter(isChunk);
  }

  #start({ id, metadata }: UIMessage): Fields[] {
    const changed = metadata === undefined ? undefined : jsonify(metadata);
    const isNew = changed !== undefined && !equalJson(changed, this.#metadata);
    this.#metadata = changed;
    const news = isNew ? { messageMetadata: changed } : {};
    if (this.#hasStarted) return isNew ? [{ type: "message-metadata", ...news }] : [];
    this.#hasStarted = true;
    return [{ type: "start", messageId: id, ...news }];
  }

  #part(part: Fields, index: number): Fields[] {
    const told = this.#told[index];
    this.#told[index] = part;
    const type = String(part["type"]);
    if (type === "text" || type === "reasoning") return textChunks(part, told, index);
    if (type === "dynamic-tool" || type.startsWith("tool-")) return toolChunks(part, told);
    if (type === "step-start") return told === undefined ? stepChunks(index) : [];
    if (type.startsWith("data-"))
      return isSameData(part, told) ? [] : [pickFields(part, "type", "id", "data")];
    return told === undefined ? [part] : [];
  }
}

/** A step begins, so the one before it is over. */
function stepChunks(index: number): Fields[] {
  return index === 0 ? [{ type: "start-step" }] : [{ type: "finish-step" }, { type: "start-step" }];
}

function textChunks(part: Fields, told: Fields | undefined, index: number): Fields[] {
  const kind = String(part["type"]);
  const id = typeof part["id"] === "string" ? part["id"] : `${kind}-${index}`;
  const about = pickFields(part, "providerMetadata");
  const wasDone = told !== undefined && told["state"] !== "streaming";
  if (wasDone) return [];
  const delta = String(part["text"]).slice(told === undefined ? 0 : String(told["text"]).length);
  return [
    ...(told === undefined ? [{ type: `${kind}-start`, id, ...about }] : []),
    ...(delta === "" ? [] : [{ type: `${kind}-delta`, id, delta }]),
    ...(part["state"] === "streaming" ? [] : [{ type: `${kind}-end`, id, ...about }]),
  ];
}

function isSameData(part: Fields, told: Fields | undefined): boolean {
  return told !== undefined && equalJson(jsonify(part["data"]), jsonify(told["data"]));
}

function isChunk(value: unknown): value is UIMessageChunk {
  return isFields(value) && typeof value["type"] === "string";
}
