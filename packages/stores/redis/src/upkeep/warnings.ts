const MAX_WARNINGS = 50;

/** Something that an operator should know, and that stops nobody. */
export interface RedisWarning {
  /** What happened, and what to do. */
  readonly message: string;
}

/** What a commit did beside the session itself. */
interface WriteSideEffects {
  readonly isPublished: boolean;
  /** Whether an entry of the index was missing. */
  readonly wasEntered: boolean;
}

/** What an operator should know; `describe()` reports it. One warning for each topic, the newest only. */
export class Warnings {
  readonly #byTopic = new Map<string, string>();
  readonly #onWarning: (warning: RedisWarning) => void;

  constructor(onWarning: (warning: RedisWarning) => void = () => undefined) {
    this.#onWarning = onWarning;
  }

  get messages(): readonly string[] {
    return [...this.#byTopic.values()];
  }

  set(topic: string, message: string): void {
    if (this.#byTopic.get(topic) === message) return;
    this.#byTopic.delete(topic);
    this.#byTopic.set(topic, message);
    const [oldest] = this.#byTopic.keys();
    if (this.#byTopic.size > MAX_WARNINGS && oldest !== undefined) this.clear(oldest);
    this.#onWarning({ message });
  }

  /** What a commit has met that stops nobody. */
  noteWrite(sessionId: string, { isPublished, wasEntered }: WriteSideEffects): void {
    if (isPublished) this.clear("publish");
    else
      this.set(
        "publish",
        "The server's user may not PUBLISH any more: commits are applied, and watchers of other processes hear of them up to a second later.",
      );
    if (wasEntered)
      this.set(
        "index",
        `Session "${sessionId}" was missing in an index, and was entered again: the index was evicted or changed by hand. Run "sessions doctor --fix".`,
      );
  }

  clear(topic: string): void {
    this.#byTopic.delete(topic);
  }
}
