import type { BotUpdate } from "../bot-update.js";
import type { Deadline } from "../update-deadline.js";
import type { NamedMessage } from "./update-message.js";

/** An update that is to be answered. */
export interface UpdateRequest {
  readonly update: BotUpdate;
  readonly sessionId: string;
  /** The identity of its turn and of its message. */
  readonly turnId: string;
  readonly prompt: NamedMessage;
  /** Whether others may speak in the same conversation. */
  readonly isShared: boolean;
  /** Counts from its arrival. */
  readonly deadline: Deadline;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  /** Where an update belongs that is stored by now. */
  readonly confirmed: (sessionId: string) => Promise<string>;
}
