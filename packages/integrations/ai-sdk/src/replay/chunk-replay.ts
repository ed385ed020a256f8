import { equalJson, type Json, jsonify } from "@sessions/protocol/integration";
import { type Fields, isFields } from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";
import { pickFields } from "../pick-fields.js";
import { toolChunks } from "./tool-chunks.js";

/**
 * Turns a message into the chunks of a stream that makes it. Called again with the same message, grown, it returns only the new chunks: a
 * page that has read all chunks has the message as it is stored.
 */
export class ChunkReplay {
  /** The parts that the page has, as they were sent. */
  readonly #sent: Fields[] = [];
  #metadata: Json | undefined;
  #hasStarted = false;

  /** `known` is the part of the message that the page has already. */
  constructor(known?: UIMessage) {
    this.#sent.push(...(known?.parts ?? []));
    this.#metadata = known?.metadata === undefined ? undefined : jsonify(known.metadata);
  }

  /** The chunks that were not sent yet. */
  chunks(message: UIMessage): UIMessageChunk[] {
    const chunks = [
      ...this.#start(message),
      ...message.parts.flatMap((part, index) => this.#part(part, index)),
    ];
    return chunks.filter(isChunk);
  }

  #start({ id, metadata }: UIMessage): Fields[] {
    const changed = metadata === undefined ? undefined : jsonify(metadata);
    const isNew = changed !== undefined && !equalJson(changed, this.#metadata);
    this.#metadata = changed;
    const change = isNew ? { messageMetadata: changed } : {};
    if (this.#hasStarted) return isNew ? [{ type: "message-metadata", ...change }] : [];
    this.#hasStarted = true;
    return [{ type: "start", messageId: id, ...change }];
  }

  #part(part: Fields, index: number): Fields[] {
    const sent = this.#sent[index];
    this.#sent[index] = part;
    const type = String(part["type"]);
    if (type === "text" || type === "reasoning") return textChunks(part, sent, index);
    if (type === "dynamic-tool" || type.startsWith("tool-")) return toolChunks(part, sent);
    if (type === "step-start") return sent === undefined ? stepChunks(index) : [];
    if (type.startsWith("data-"))
      return isSameData(part, sent) ? [] : [pickFields(part, "type", "id", "data")];
    return sent === undefined ? [part] : [];
  }
}

/** The start of a step also ends the step before it. */
function stepChunks(index: number): Fields[] {
  return index === 0 ? [{ type: "start-step" }] : [{ type: "finish-step" }, { type: "start-step" }];
}

function textChunks(part: Fields, sent: Fields | undefined, index: number): Fields[] {
  const kind = String(part["type"]);
  const id = typeof part["id"] === "string" ? part["id"] : `${kind}-${index}`;
  const about = pickFields(part, "providerMetadata");
  const wasDone = sent !== undefined && sent["state"] !== "streaming";
  if (wasDone) return [];
  const delta = String(part["text"]).slice(sent === undefined ? 0 : String(sent["text"]).length);
  return [
    ...(sent === undefined ? [{ type: `${kind}-start`, id, ...about }] : []),
    ...(delta === "" ? [] : [{ type: `${kind}-delta`, id, delta }]),
    ...(part["state"] === "streaming" ? [] : [{ type: `${kind}-end`, id, ...about }]),
  ];
}

function isSameData(part: Fields, sent: Fields | undefined): boolean {
  return sent !== undefined && equalJson(jsonify(part["data"]), jsonify(sent["data"]));
}

function isChunk(value: unknown): value is UIMessageChunk {
  return isFields(value) && typeof value["type"] === "string";
}
