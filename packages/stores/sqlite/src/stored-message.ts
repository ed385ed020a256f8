import type { Message } from "@sessions/protocol";

/** A message as a row holds it. */
export interface StoredMessage {
  readonly message: Message;
  /** That added it. */
  readonly revision: number;
}

/** Where a message that was handed out or taken in stands: given back, it need not be written again. */
export interface Provenance {
  readonly row: number;
  readonly revision: number;
  /** Of the row's log. While that is the same, so is the row. */
  readonly layout: number;
}
