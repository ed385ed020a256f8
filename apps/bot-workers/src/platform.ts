import { setTimeout as pause } from "node:timers/promises";
import type { PlannedUpdate } from "./plan.js";

const LONGEST_PAUSE_MS = 500;

/** What the platform has recorded. */
export interface Delivered {
  /** Every reply that came for an update. */
  readonly replies: ReadonlyMap<number, ReadonlySet<string>>;
  readonly deliveries: number;
  /** The number of deliveries that were repeated because they got no answer. */
  readonly redelivered: number;
}

/** Delivers updates to a webhook as platforms do: concurrently, and again until the response is 200. */
export class Platform {
  readonly #url: string;
  readonly #replies = new Map<number, Set<string>>();
  readonly #onAnswer: (answered: number) => void;
  #deliveries = 0;
  #redelivered = 0;

  /** `onAnswer` gets the number of answered updates whenever it changes. */
  constructor(url: string, onAnswer: (answered: number) => void) {
    this.#url = url;
    this.#onAnswer = onAnswer;
  }

  async deliver(
    deliveries: readonly PlannedUpdate[],
    atOnce: number,
    signal: AbortSignal,
  ): Promise<Delivered> {
    const queue = deliveries.values();
    const lane = async (): Promise<void> => {
      for (const update of queue) {
        if (signal.aborted) return;
        await this.#untilAnswered(update, signal);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return { replies: this.#replies, deliveries: this.#deliveries, redelivered: this.#redelivered };
  }

  async #untilAnswered(update: PlannedUpdate, signal: AbortSignal): Promise<void> {
    for (let pauseMs = 20; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      this.#deliveries++;
      if (await this.#once(update)) return;
      this.#redelivered++;
      await pause(Math.random() * pauseMs);
    }
  }

  async #once(update: PlannedUpdate): Promise<boolean> {
    const response = await fetch(this.#url, { method: "POST", body: JSON.stringify(update) });
    const body = await response.text();
    if (response.status !== 200) return false;
    const { reply }: { readonly reply?: unknown } = JSON.parse(body);
    const known = this.#replies.get(update.id) ?? new Set();
    this.#replies.set(update.id, known.add(String(reply)));
    this.#onAnswer(this.#replies.size);
    return true;
  }
}
