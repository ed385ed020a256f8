import type { BotUpdate } from "../bot-update.js";
import type { NamedMessage } from "./prompt.js";

/** An update that is to be answered. */
export interface UpdateRequest {
  readonly update: BotUpdate;
  readonly sessionId: string;
  /** The identity of its turn and of its message. */
  readonly turnId: string;
  readonly prompt: NamedMessage;
  /** Whether others may speak in the same conversation. */
  readonly isShared: boolean;
  readonly signal: AbortSignal | undefined;
}
