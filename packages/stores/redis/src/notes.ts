/** How many different things are remembered. */
const MOST = 50;

/** Something that an operator should know, and that stops nobody. */
export interface RedisWarning {
  /** What happened, and what to do. */
  readonly message: string;
}

/** What an operator should know, each once. */
export class Notes {
  readonly #notes = new Map<string, string>();
  readonly #onWarning: (warning: RedisWarning) => void;

  constructor(onWarning: (warning: RedisWarning) => void = () => undefined) {
    this.#onWarning = onWarning;
  }

  get messages(): readonly string[] {
    return [...this.#notes.values()];
  }

  take(topic: string, message: string): void {
    if (this.#notes.get(topic) === message) return;
    this.#notes.delete(topic);
    this.#notes.set(topic, message);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > MOST && oldest !== undefined) this.#notes.delete(oldest);
    this.#onWarning({ message });
  }

  /** It is not so any more. */
  drop(topic: string): void {
    this.#notes.delete(topic);
  }
}

/** Of a server that takes commits and refuses PUBLISH. */
export const UNTOLD =
  "The server's user may not PUBLISH any more: commits are applied, and watchers of other processes hear of them up to a second later.";
