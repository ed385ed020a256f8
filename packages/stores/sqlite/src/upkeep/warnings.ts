const MAX_WARNINGS = 100;

/** What an operator should know; `describe()` reports it. One warning for each topic, the newest only. */
export class Warnings {
  readonly #byTopic = new Map<string, string>();

  get messages(): readonly string[] {
    return [...this.#byTopic.values()];
  }

  set(topic: string, message: string): void {
    this.#byTopic.delete(topic);
    this.#byTopic.set(topic, message);
    const [oldest] = this.#byTopic.keys();
    if (this.#byTopic.size > MAX_WARNINGS && oldest !== undefined) this.clear(oldest);
  }

  clear(topic: string): void {
    this.#byTopic.delete(topic);
  }
}
