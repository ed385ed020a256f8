import type { Message } from "@sessions/json-file";

/** What the built-in model answers. */
export interface Question {
  /** What the user says, without spaces around it. */
  readonly text: string;
  /** All that the model was sent of the conversation, this question last. */
  readonly messages: readonly Message[];
  /** How many older messages did not fit. */
  readonly omitted: number;
}
