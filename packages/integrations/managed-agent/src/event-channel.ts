import type { AgentEvent } from "@sessions/turn-runner";

/** How many events may be buffered before the runner waits for the consumer. */
const MAX_BUFFERED_EVENTS = 64;

/**
 * Passes the events of a turn to its one consumer, in order, an error after all events. Before the consumer begins to read, events
 * are buffered without a limit; from then on the turn runs at the consumer's pace.
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

  /** Adds an event. Returns a promise if the producer must wait. */
  push(event: AgentEvent): Promise<void> | undefined {
    if (this.#isLeft) return undefined;
    this.#events.push(event);
    this.#wakeConsumer?.();
    if (!this.#isRead || this.#events.length < MAX_BUFFERED_EVENTS) return undefined;
    return new Promise((resolve) => {
      this.#wakeProducer = resolve;
    });
  }

  /** Ends the channel. The consumer gets the error after the last event. */
  end(end: { readonly error?: unknown }): void {
    this.#end = end;
    this.#wakeConsumer?.();
  }

  async next(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#isRead = true;
    for (;;) {
      const event = this.#events.shift();
      if (this.#events.length < MAX_BUFFERED_EVENTS / 2) this.#wakeProducer?.();
      if (event !== undefined) return { done: false, value: event };
      if (this.#isLeft || this.#end !== undefined) return this.#ended();
      await this.#changed();
    }
  }

  async return(): Promise<IteratorResult<AgentEvent, undefined>> {
    const isEarly = !this.#isLeft && this.#end === undefined;
    this.#isLeft = true;
    this.#events.length = 0;
    this.#wakeConsumer?.();
    this.#wakeProducer?.();
    if (isEarly) await this.#onLeave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** One promise for all pending calls of `next`: a consumer may ask for several events at once. */
  #changed(): Promise<void> {
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
