/** A message, with the fields that every library stores. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** A question and its answer. */
export interface Exchange {
  readonly question: ChatMessage;
  readonly answer: ChatMessage;
}

/** The unit of a write: each message when it comes, or each turn at its end. */
export type Writes = "each message" | "each turn";

/** Open conversations. */
export interface Conversations extends AsyncDisposable {
  /** Reads all messages of a conversation, then writes an exchange. Returns how many were read. */
  turn(id: string, exchange: Exchange, writes: Writes): Promise<number>;
  /** Adds messages without having read the conversation. */
  add(id: string, messages: readonly ChatMessage[]): Promise<void>;
  /** The ids of the messages that a reader gets. */
  ids(id: string): Promise<readonly string[]>;
}

/** A store or library that keeps conversations. */
export interface Keeper {
  /** Its name in the table. */
  readonly name: string;
  readonly engine: "folder" | "redis";
  /**
   * Opens what is in a folder or on a server: again and again, also from other processes. Loads the library: a process that
   * uses one need not wait for all.
   */
  open(where: string): Promise<Conversations>;
}

/** A library from npm, set up as its documentation says, and used as its users do. */
export interface Peer extends Keeper {
  /** How its users write a turn. */
  readonly writes: Writes;
}
