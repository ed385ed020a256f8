import type { Message } from "@sessions/protocol/backend";
import type { HistorySource } from "../src/index.js";

/** An engine that keeps messages in arrays, and counts what it is asked for. */
export class ArraysAsSource implements HistorySource {
  readonly #messages: readonly Message[];
  readonly #revisions: readonly number[];
  asked = 0;

  constructor(messages: readonly Message[], revisions: readonly number[]) {
    this.#messages = messages;
    this.#revisions = revisions;
  }

  get length(): number {
    return this.#messages.length;
  }

  message(position: number): Message | undefined {
    this.asked++;
    return this.#messages[position];
  }

  revision(position: number): number | undefined {
    return this.#revisions[position];
  }

  messages(from: number, to: number): Message[] {
    this.asked += Math.max(0, to - from);
    return this.#messages.slice(from, to);
  }

  revisions(from: number, to: number): number[] {
    return this.#revisions.slice(from, to);
  }

  positionOf(id: string): number | undefined {
    const position = this.#messages.findIndex((message) => message.id === id);
    return position < 0 ? undefined : position;
  }
}
