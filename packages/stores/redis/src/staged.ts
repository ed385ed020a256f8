import type { Message } from "@sessions/protocol";

/** Where messages were written before the commit that brings them. */
export interface StagedPlace {
  /** The time that messages without one of their own have: that of the commit, too. */
  readonly at: number;
  readonly first: number;
  readonly count: number;
  /** The field of the session that reserves the rows. */
  readonly reserved?: string;
  /** The key that will become the session, whatever is there now. */
  readonly key?: string;
}

/** A message as it was written ahead. */
export interface StagedMessage {
  readonly row: number;
  readonly message: Message;
  /** 0 where it is not known yet: the run of rows will say it. */
  readonly revision: number;
}

/** Messages of one session that were written ahead. */
export class StagedMessages {
  readonly place: StagedPlace;
  readonly #byId = new Map<string, StagedMessage[]>();

  constructor(place: StagedPlace, messages: readonly StagedMessage[]) {
    this.place = place;
    for (const staged of messages) {
      const { id } = staged.message;
      this.#byId.set(id, [...(this.#byId.get(id) ?? []), staged]);
    }
  }

  /** A message, if it was staged just as it is. */
  find(message: Message): StagedMessage | undefined {
    return this.#byId.get(message.id)?.find((staged) => hasSameFields(staged.message, message));
  }
}

/** The same values under the same keys, in the same order. */
function hasSameFields(a: Message, b: Message): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length && keys.every((key, index) => key === others[index] && a[key] === b[key])
  );
}
