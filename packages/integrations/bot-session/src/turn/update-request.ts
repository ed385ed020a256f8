import type { BotUpdate } from "../bot-update.js";
import type { UpdateDeadline } from "../update-deadline.js";
import type { IdentifiedMessage } from "./update-message.js";

/** An update to answer. */
export interface UpdateRequest {
  readonly update: BotUpdate;
  readonly sessionId: string;
  /** The id of its turn and of its message. */
  readonly turnId: string;
  readonly prompt: IdentifiedMessage;
  /** Whether others may speak in the same conversation. */
  readonly isShared: boolean;
  /** Counts from the arrival of the update. */
  readonly deadline: UpdateDeadline;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** The conversation of the update, checked again after it was stored. */
  readonly confirmed: (sessionId: string) => Promise<string>;
}
