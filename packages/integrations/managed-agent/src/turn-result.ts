import type { Message } from "@sessions/protocol";
import type { Usage } from "./agent-event.js";

/** A finished turn, as it is stored. */
export interface TurnResult {
  readonly sessionId: string;
  readonly turnId: string;
  /** The text of the answer's last message. */
  readonly text: string;
  /** What the turn added after the prompt: answers, tool calls, tool results. */
  readonly messages: readonly Message[];
  /** Of this turn alone. */
  readonly usage: Usage;
  /** This turn had been run before: the model was not asked again. */
  readonly duplicate: boolean;
  /** The session's revision after the turn. */
  readonly revision: number;
}
