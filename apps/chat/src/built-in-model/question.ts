import type { Message } from "@sessions/json-file";

/** A question for the built-in model. */
export interface Question {
  /** The text of the user, trimmed. */
  readonly text: string;
  /** The messages that the model got, this question last. */
  readonly messages: readonly Message[];
  /** The number of older messages that did not fit. */
  readonly omitted: number;
}
