import type { ContentPart, JsonObject } from "@sessions/protocol";

/** The user and the place of a message. Ids are those of the platform; any characters are allowed. */
export interface BotTarget {
  readonly user: string | number;
  /** The chat, channel or group. Required for the scopes `chat` and `thread`, except in direct messages. */
  readonly chat?: string | number | undefined;
  /** The thread or topic in it. */
  readonly thread?: string | number | undefined;
  /** A direct message: its conversation belongs to its user, whatever the scope. @default false */
  readonly direct?: boolean | undefined;
}

/** A message that a platform delivered. Delivered again, it must have the same content; other content is MESSAGE_ID_TAKEN. */
export interface BotUpdate extends BotTarget {
  /** The platform's id of the update: a webhook that comes twice has the same id. */
  readonly id: string | number;
  readonly text?: string | undefined;
  /** Instead of `text`: parts, such as images and files. */
  readonly content?: readonly ContentPart[] | undefined;
  /** The sender's name. Shown to the model if several people speak, without characters that could imitate a header. */
  readonly name?: string | undefined;
  /** When it was sent, if the platform says so. */
  readonly at?: number | Date | undefined;
  /** Stored with the message. The bot's own keys are refused: `bot.…`, `speaker`, `turnId` and some more. */
  readonly metadata?: JsonObject | undefined;
}

/** A person's account on a platform. */
export interface Identity {
  readonly platform: string;
  readonly account?: string | undefined;
  readonly user: string | number;
}
