const MAX_WARNINGS = 50;

/** Something that an operator should know, and that stops nobody. */
export interface RedisWarning {
  /** What happened, and what to do. */
  readonly message: string;
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

  clear(topic: string): void {
    this.#byTopic.delete(topic);
  }
}
