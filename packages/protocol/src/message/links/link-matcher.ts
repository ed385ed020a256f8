/** Two positions in a list of messages that must stay together, the earlier first. They may be equal. */
export type Pair = readonly [number, number];

/** A tool call or an approval request, which a later message answers. */
export interface LinkStart {
  readonly id: string;
  /** The position of its message. */
  readonly index: number;
  answered: boolean;
}

/** Matches answers with calls, message by message. An answer belongs to the nearest call with its id before it. */
export class LinkMatcher {
  readonly starts: LinkStart[] = [];
  readonly pairs: Pair[] = [];
  /** The position of the last message with an answer to a call that no message before it made; -1 if there is none. */
  lastOrphan = -1;
  readonly #nearest: Map<string, LinkStart> = new Map();

  /** Adds the next message. Its calls come first: a message may answer its own call. */
  addMessage(index: number, called: readonly string[], answered: readonly string[]): void {
    for (const id of called) this.#start(id, index);
    for (const id of answered) this.#answer(id, index);
  }

  #start(id: string, index: number): void {
    if (this.#nearest.get(id)?.index === index) return;
    const start: LinkStart = { id, index, answered: false };
    this.starts.push(start);
    this.#nearest.set(id, start);
  }

  #answer(id: string, index: number): void {
    const start = this.#nearest.get(id);
    if (start === undefined) {
      this.lastOrphan = index;
      return;
    }
    start.answered = true;
    this.pairs.push([start.index, index]);
  }
}
