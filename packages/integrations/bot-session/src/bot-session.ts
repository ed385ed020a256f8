import type { ReadOptions } from "@sessions/protocol";
import type { BotReply } from "./bot-reply.js";
import type { BotTarget, BotUpdate, Identity } from "./bot-update.js";

/** How to handle one update. */
export interface HandleOptions {
  /** Stops the turn: the answer so far stays, marked as interrupted. The caller gets the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Which conversations to end. */
export interface EndIdleOptions extends ReadOptions {
  /** Conversations without any activity for this long. */
  readonly idleMs: number;
  /** Delete their sessions instead of archiving their messages. @default false */
  readonly destroy?: boolean | undefined;
}

/** A message that another system sent to the user. */
export interface OutboundMessage {
  /** Identifies the message: mirrored again, it is not added again. */
  readonly id: string | number;
  readonly text: string;
}

/** The conversations of a bot: one for each user, chat or thread, in a store that all its workers share. */
export interface BotSession {
  /**
   * Answers an update, after those that arrived before it. Resolves when the answer is stored. Rejects with the error of `respond`,
   * with the store's error if saving failed, with TURN_BUSY if the conversation was busy until the deadline. An update that was
   * handled before gets its stored reply, and nothing runs.
   */
  handle(update: BotUpdate, options?: HandleOptions): Promise<BotReply>;
  /**
   * Records, in one commit, that the platform has confirmed the reply to this update: delivered again, its reply has `sent: true`.
   * `false` if there is no stored reply: the update was not handled, or its session was deleted.
   */
  confirmSent(update: BotUpdate): Promise<boolean>;
  /** Stores a message without answering it, such as the chatter of a group. */
  record(update: BotUpdate): Promise<{ readonly sessionId: string; readonly duplicate: boolean }>;
  /** Stores a message that another system sent, so that the bot knows what its user has read. */
  mirror(
    target: BotTarget,
    message: OutboundMessage,
  ): Promise<{ readonly sessionId: string; readonly duplicate: boolean }>;
  /** Begins a new conversation at once; a running turn ends. `false` if there was nothing to end. */
  reset(target: BotTarget, options?: { readonly destroy?: boolean | undefined }): Promise<boolean>;
  /** The id of a conversation's session in the store. */
  sessionId(target: BotTarget): Promise<string>;
  /** From now on `other` shares the conversation of `identity`. No message of either is lost. */
  link(identity: Identity, other: Identity): Promise<void>;
  /** Gives an identity its own conversation back. `false` if it was not linked. */
  unlink(identity: Identity): Promise<boolean>;
  /** All identities that share a conversation with this one, including itself. */
  linksFor(identity: Identity): Promise<readonly Identity[]>;
  /** Ends conversations that are idle, but none in which a turn runs. Resolves to how many it ended. */
  endIdle(options: EndIdleOptions): Promise<number>;
}
