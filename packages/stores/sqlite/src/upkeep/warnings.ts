const KEPT = 100;

/** What an operator should know; `describe()` tells it. The newest only. */
export class Notes {
  readonly #byTopic = new Map<string, string>();

  get messages(): readonly string[] {
    return [...this.#byTopic.values()];
  }

  /** One for each topic. */
  take(topic: string, message: string): void {
    this.#byTopic.delete(topic);
    this.#byTopic.set(topic, message);
    const [oldest] = this.#byTopic.keys();
    if (this.#byTopic.size > KEPT && oldest !== undefined) this.drop(oldest);
  }

  drop(topic: string): void {
    this.#byTopic.delete(topic);
  }
}
