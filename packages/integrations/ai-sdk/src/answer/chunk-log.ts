import { extend, type Json, type OperationInput } from "@sessions/protocol";
import type { CheckpointSource } from "@sessions/turn-runner";
import { deltaLength, isObject, joinDeltas } from "./chunk.js";

/** The chunks of an answer, saved step by step. */
export class ChunkLog implements CheckpointSource {
  readonly #answerId: string;
  readonly #saved: Json[] = [];
  /** The chunks of the last `take`: they are known to be saved when the next `take` comes. */
  #taken: readonly Json[] = [];
  #pending: Json[] = [];
  #pendingChars = 0;

  constructor(answerId: string) {
    this.#answerId = answerId;
  }

  get pendingChars(): number {
    return this.#pendingChars;
  }

  /** How many of the last chunks may not be saved. */
  get unsaved(): number {
    return this.#taken.length + this.#pending.length;
  }

  /** The chunks so far, without the last `dropped` ones. */
  chunks(dropped = 0): readonly Json[] {
    const unsaved = [...this.#taken, ...this.#pending];
    return [...this.#saved, ...unsaved.slice(0, unsaved.length - dropped)];
  }

  add(chunk: Json): void {
    this.#pending.push(chunk);
    this.#pendingChars += 1 + deltaLength(chunk);
  }

  /** The chunks of the last `take` are saved. */
  confirm(): void {
    this.#saved.push(...joinDeltas(this.#taken));
    this.#taken = [];
  }

  take(): readonly OperationInput[] {
    this.confirm(); // the next `take` comes only after the last one is saved
    this.#taken = this.#pending;
    this.#pending = [];
    this.#pendingChars = 0;
    const parts = joinDeltas(this.#taken).filter(isObject);
    return parts.length === 0 ? [] : [extend(this.#answerId, { parts })];
  }
}
