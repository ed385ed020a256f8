import type { Message } from "@sessions/protocol/backend";
import type { MessageRow } from "../runs/runs.js";

/** Messages that were written to rows before the commit that brings them. Nothing refers to them until then. */
export class StagedMessages {
  /** Behind the last of their rows. */
  readonly end: number;
  readonly #byId = new Map<string, { readonly message: Message; readonly stored: MessageRow }[]>();

  constructor(first: number, messages: readonly Message[]) {
    this.end = first + messages.length;
    for (const [index, message] of messages.entries()) {
      // The revision is not known before the commit: the runs will have it.
      const staged = { message, stored: { row: first + index, revision: 0 } };
      this.#byId.set(message.id, [...(this.#byId.get(message.id) ?? []), staged]);
    }
  }

  /** The row of a message, if it was staged just as it is. */
  find(message: Message): MessageRow | undefined {
    return this.#byId.get(message.id)?.find((staged) => hasSameFields(staged.message, message))?.stored;
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
