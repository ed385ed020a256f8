import type { ContentPart, JsonObject } from "@sessions/protocol";

/** Who speaks, and where. Ids are the platform's own; any characters will do. */
export interface BotTarget {
  readonly user: string | number;
  /** The chat, channel or group. Needed for the scopes `chat` and `thread`, except in direct messages. */
  readonly chat?: string | number | undefined;
  /** The thread or topic in it. */
  readonly thread?: string | number | undefined;
  /** Nobody else reads along. Such a conversation belongs to its user, whatever the scope. @default false */
  readonly direct?: boolean | undefined;
}

/** Something that a platform delivered. Delivered again, it must hold the same words: others are MESSAGE_ID_TAKEN. */
export interface BotUpdate extends BotTarget {
  /** The platform's id of it: a webhook that comes twice brings the same one. */
  readonly id: string | number;
  readonly text?: string | undefined;
  /** Instead of `text`: parts, such as images and files. */
  readonly content?: readonly ContentPart[] | undefined;
  /** What the sender is called. Shown to the model where several people speak, without what could look like a header. */
  readonly name?: string | undefined;
  /** When it was said, if the platform tells. */
  readonly at?: number | Date | undefined;
  /** Kept with the message. Keys that the bot writes itself are refused: `bot.…`, `speaker`, `turnId` and some more. */
  readonly metadata?: JsonObject | undefined;
}

/** A person's account on a platform. */
export interface Identity {
  readonly platform: string;
  readonly account?: string | undefined;
  readonly user: string | number;
}
