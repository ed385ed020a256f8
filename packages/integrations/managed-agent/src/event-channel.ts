import type { AgentEvent } from "./agent-event.js";

/** How many events may wait for a consumer before the runner has to. */
const MOST_WAITING = 64;

/**
 * Hands the events of a turn to its one consumer. As soon as there is a consumer the turn runs at its pace; before
 * that, events wait. What is told first is seen first, an error after all events.
 */
export class EventChannel implements AsyncIterableIterator<AgentEvent> {
  readonly #onLeave: () => Promise<void>;
  readonly #events: AgentEvent[] = [];
  #isRead = false;
  #isLeft = false;
  #end: { readonly error?: unknown } | undefined;
  #waiting: Promise<void> | undefined;
  #wakeConsumer: (() => void) | undefined;
  #wakeProducer: (() => void) | undefined;

  /** `onLeave` is called when the consumer leaves before the end. */
  constructor(onLeave: () => Promise<void>) {
    this.#onLeave = onLeave;
  }

  /** Adds an event. A promise if the consumer is far behind. */
  push(event: AgentEvent): Promise<void> | undefined {
    if (this.#isLeft) return undefined;
    this.#events.push(event);
    this.#wakeConsumer?.();
    if (!this.#isRead || this.#events.length < MOST_WAITING) return undefined;
    return new Promise((resolve) => {
      this.#wakeProducer = resolve;
    });
  }

  /** No more events. With an error, the consumer gets that after the last one. */
  end(end: { readonly error?: unknown }): void {
    this.#end = end;
    this.#wakeConsumer?.();
  }

  async next(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#isRead = true;
    for (;;) {
      const event = this.#events.shift();
      if (this.#events.length < MOST_WAITING / 2) this.#wakeProducer?.();
      if (event !== undefined) return { done: false, value: event };
      if (this.#isLeft || this.#end !== undefined) return this.#ended();
      await this.#news();
    }
  }

  async return(): Promise<IteratorResult<AgentEvent, undefined>> {
    const leaves = !this.#isLeft && this.#end === undefined;
    this.#isLeft = true;
    this.#events.length = 0;
    this.#wakeConsumer?.();
    this.#wakeProducer?.();
    if (leaves) await this.#onLeave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** One promise for all who wait: a consumer may ask for several events at once. */
  #news(): Promise<void> {
    this.#waiting ??= new Promise((resolve) => {
      this.#wakeConsumer = () => {
        this.#waiting = undefined;
        resolve();
      };
    });
    return this.#waiting;
  }

  #ended(): IteratorResult<AgentEvent, undefined> {
    const end = this.#end;
    this.#isLeft = true; // the error is thrown once
    if (end !== undefined && "error" in end) {
      this.#end = {};
      throw end.error;
    }
    return { done: true, value: undefined };
  }
}
