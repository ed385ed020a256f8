import type { ReadOptions } from "@sessions/protocol";
import type { BotReply } from "./bot-reply.js";
import type { BotTarget, BotUpdate, Identity } from "./bot-update.js";

/** How to handle one update. */
export interface HandleOptions {
  /** Stops it: what was said so far stays, marked as interrupted. The caller gets the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Which conversations to end. */
export interface ReapOptions extends ReadOptions {
  /** Those in which nothing has happened for so long. */
  readonly idleMs: number;
  /** Delete their sessions instead of archiving their messages. @default false */
  readonly destroy?: boolean | undefined;
}

/** A message that another system sent to the user. */
export interface OutboundMessage {
  /** Its identity: mirrored again, it is there once. */
  readonly id: string | number;
  readonly text: string;
}

/** The conversations of a bot: one for each user, chat or thread, in a store that all its workers share. */
export interface BotSession {
  /**
   * Answers an update, after those that came before it. Resolves when the answer is stored. Rejects with what `respond`
   * threw, with the store's error if saving failed, with TURN_BUSY if the conversation was busy until the deadline.
   * Delivered again, an update that was dealt with gets the stored reply, and nothing is run.
   */
  handle(update: BotUpdate, options?: HandleOptions): Promise<BotReply>;
  /** Keeps something that was said without answering it, such as the chatter of a group. */
  record(update: BotUpdate): Promise<{ readonly sessionId: string; readonly duplicate: boolean }>;
  /** Keeps a message that another system sent, so that the bot knows what its user has read. */
  mirror(
    target: BotTarget,
    message: OutboundMessage,
  ): Promise<{ readonly sessionId: string; readonly duplicate: boolean }>;
  /** Begins a new conversation at once; a running turn ends. `false` if there was nothing to end. */
  reset(target: BotTarget, options?: { readonly destroy?: boolean | undefined }): Promise<boolean>;
  /** Where a conversation is kept: its session is the store's, with all that a store can do. */
  sessionId(target: BotTarget): Promise<string>;
  /** From now on `other` shares the conversation of `identity`. Nothing that either has said is lost. */
  link(identity: Identity, other: Identity): Promise<void>;
  /** Gives an identity its own conversation back. `false` if it was not linked. */
  unlink(identity: Identity): Promise<boolean>;
  /** All identities that share a conversation with this one, itself among them. */
  linksFor(identity: Identity): Promise<readonly Identity[]>;
  /** Ends conversations that lie idle. Never one in which a turn runs. Tells how many it ended. */
  reap(options: ReapOptions): Promise<number>;
}
