import type { Chat } from "../chat.js";

/** Something that a user can ask of the chat itself, by a line that begins with a slash. */
export interface Command {
  /** With its slash. */
  readonly name: string;
  /** What may stand behind it, for the help. */
  readonly takes?: string;
  /** What it does, for the help. */
  readonly does: string;
  /** `"leave"` ends the chat. What makes no sense is a UsageError. */
  readonly run: (chat: Chat, argument: string) => Promise<"leave" | undefined>;
  /** What the argument can be. */
  readonly suggest?: (chat: Chat) => Promise<readonly string[]>;
}
