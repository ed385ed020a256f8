import type { Chat } from "../chat.js";

/** A command of the chat: a line that begins with a slash. */
export interface Command {
  /** The name with its slash. */
  readonly name: string;
  /** The arguments, for the help. */
  readonly takes?: string;
  /** The description for the help. */
  readonly does: string;
  /** Returns `"leave"` to end the chat. Throws a UsageError for wrong arguments. */
  readonly run: (chat: Chat, argument: string) => Promise<"leave" | undefined>;
  /** Possible arguments, for completion. */
  readonly suggest?: (chat: Chat) => Promise<readonly string[]>;
}
