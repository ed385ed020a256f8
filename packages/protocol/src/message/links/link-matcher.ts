/** Two positions in a list of messages that must stay together, the earlier first. May be the same one. */
export type Pair = readonly [number, number];

/** A call, or another question, that a later message answers. */
export interface LinkStart {
  readonly id: string;
  /** Where its message stands. */
  readonly index: number;
  answered: boolean;
}

/**
 * Matches answers with what they answer, message by message. An answer belongs to the nearest opening of its
 * id.
 */
export class LinkMatcher {
  readonly openings: LinkStart[] = [];
  readonly pairs: Pair[] = [];
  /** The last message with an answer to something that no message before it opened; -1 if there is none. */
  lastOrphan = -1;
  readonly #nearest: Map<string, LinkStart> = new Map();

  /** Enters one message. What it opens comes first: a message may answer itself. */
  enter(index: number, opened: readonly string[], answered: readonly string[]): void {
    for (const id of opened) this.#open(id, index);
    for (const id of answered) this.#answer(id, index);
  }

  #open(id: string, index: number): void {
    if (this.#nearest.get(id)?.index === index) return;
    const opening: LinkStart = { id, index, answered: false };
    this.openings.push(opening);
    this.#nearest.set(id, opening);
  }

  #answer(id: string, index: number): void {
    const opening = this.#nearest.get(id);
    if (opening === undefined) {
      this.lastOrphan = index;
      return;
    }
    opening.answered = true;
    this.pairs.push([opening.index, index]);
  }
}
