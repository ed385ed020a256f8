import type { Message } from "@sessions/protocol/backend";

/** A message as it is stored. */
export interface StoredMessage {
  readonly message: Message;
  /** The revision that added it. */
  readonly revision: number;
}
