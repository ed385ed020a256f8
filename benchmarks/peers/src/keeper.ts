/** A message, with as much of it as every library keeps. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** What a user asked, and what was answered. */
export interface Exchange {
  readonly question: ChatMessage;
  readonly answer: ChatMessage;
}

/** What is on its way to the engine at once: a message, as soon as it is there, or a turn when it is over. */
export type Writes = "each message" | "each turn";

/** Conversations that are open. */
export interface Conversations extends AsyncDisposable {
  /** Reads all messages of a conversation, then writes an exchange to it. Tells how many were read. */
  turn(id: string, exchange: Exchange, writes: Writes): Promise<number>;
  /** Adds messages, by a caller who knows nothing of the conversation. */
  add(id: string, messages: readonly ChatMessage[]): Promise<void>;
  /** Who reads the conversation is shown the messages with these ids. */
  ids(id: string): Promise<readonly string[]>;
}

/** Something that keeps conversations. */
export interface Keeper {
  /** As it is called in the table. */
  readonly name: string;
  readonly engine: "folder" | "redis";
  /**
   * Opens what is in a folder or on a server: again and again, also from other processes. Loads the library: a process that
   * uses one need not wait for all.
   */
  open(where: string): Promise<Conversations>;
}

/** A library from npm, set up as its own documentation does it, and used as its users do. */
export interface Peer extends Keeper {
  /** How its users write a turn. */
  readonly writes: Writes;
}
