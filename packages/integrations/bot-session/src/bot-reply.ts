import type { Message } from "@sessions/protocol";

/** What became of an update. */
export type BotOutcome =
  /** It was answered. */
  | "answered"
  /** Another update's turn answered it too (`busy: "merge"`): that one's caller has the reply. */
  | "merged"
  /** A newer message stopped it (`busy: "interrupt"`). What was said so far is stored. */
  | "interrupted"
  /** The conversation was reset while it was being answered. */
  | "superseded"
  /** It was the command that resets the conversation. */
  | "reset";

/** An update that was dealt with. Everything in it is stored. */
export interface BotReply {
  readonly outcome: BotOutcome;
  /** What to tell the user: the text of the last answer. `undefined` if there is nothing to tell. */
  readonly reply: string | undefined;
  /** What the turn added: answers, tool calls, tool results. */
  readonly messages: readonly Message[];
  readonly sessionId: string;
  /** The session's revision. */
  readonly revision: number;
  /** This update had been dealt with before: nothing was run. */
  readonly duplicate: boolean;
}
