import type { Message } from "@sessions/protocol";

/** What became of an update. */
export type BotOutcome =
  /** It was answered. */
  | "answered"
  /** The turn of another update answered it too (`busy: "merge"`): the caller of that update has the reply. */
  | "merged"
  /** A newer message stopped it (`busy: "interrupt"`). The answer so far is stored. */
  | "interrupted"
  /** The conversation was reset while it was being answered. */
  | "superseded"
  /** It was the command that resets the conversation. */
  | "reset";

/** An update that was handled. Everything in it is stored. */
export interface BotReply {
  readonly outcome: BotOutcome;
  /** The text for the user: that of the last answer. `undefined` if there is none. */
  readonly reply: string | undefined;
  /** What the turn added: answers, tool calls, tool results. */
  readonly messages: readonly Message[];
  readonly sessionId: string;
  /** The session's revision. */
  readonly revision: number;
  /** This update had been handled before: nothing ran. */
  readonly duplicate: boolean;
  /** `confirmSent` has recorded that this reply was sent: do not send it again. `false`: nobody knows. */
  readonly sent: boolean;
}
