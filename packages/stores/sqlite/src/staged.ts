import type { Message } from "@sessions/protocol";

/** A message that is in the table, and in no history yet. */
export interface StagedMessage {
  readonly row: number;
  readonly message: Message;
}

/** Where the messages of a session are staged. */
export interface StagedPlace {
  readonly log: number;
  /** Of the log. While that is the same, the rows are there. */
  readonly layout: number;
  readonly first: number;
  readonly count: number;
  /** The log was made for them, and nobody owns it yet. */
  readonly isNew: boolean;
}

/** Messages of one session that were written before the commit that brings them. */
export class StagedMessages {
  readonly place: StagedPlace;
  readonly #byId = new Map<string, StagedMessage>();

  constructor(place: StagedPlace) {
    this.place = place;
  }

  add(staged: StagedMessage): void {
    this.#byId.set(staged.message.id, staged);
  }

  /** A message, if it was staged just as it is. */
  find(message: Message): StagedMessage | undefined {
    const staged = this.#byId.get(message.id);
    return staged !== undefined && hasSameFields(staged.message, message) ? staged : undefined;
  }
}

/** What was staged for a transaction, by session. */
export type Staged = ReadonlyMap<string, StagedMessages>;

export const NOTHING_STAGED: Staged = new Map();

/** The same values under the same keys, in the same order. */
function hasSameFields(a: Message, b: Message): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length && keys.every((key, index) => key === others[index] && a[key] === b[key])
  );
}
