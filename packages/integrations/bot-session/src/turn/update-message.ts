import type { MessageInput } from "@sessions/protocol";
import { invalid, isFields, markPrompt, requireFields } from "@sessions/turn-runner";
import type { BotUpdate } from "../bot-update.js";
import { SPEAKER_KEY, speakerMetadata } from "../conversation/speaker.js";
import type { KeySpace } from "../keys/conversation-parts.js";
import { platformId } from "../keys/platform-id.js";
import { sessionName } from "../keys/session-name.js";

/** Metadata keys of the bot, besides all that begin with `bot.`. */
const RESERVED_KEYS: readonly string[] = [SPEAKER_KEY, "turnId", "prompt", "usage", "mirrored", "archiveId"];

/** A message with its id. */
export type IdentifiedMessage = MessageInput & { readonly id: string };

/** The id of an update's turn and of its message: it depends on the platform's ids alone. */
export function updateId({ platform, account }: KeySpace, id: string | number): Promise<string> {
  return sessionName(["update", platform, account, platformId(id, "update.id")]);
}

/** The message of an update, as it is stored. */
export function updateMessage(update: BotUpdate, id: string): IdentifiedMessage {
  requireFields(update, "update");
  const { user, name, at, metadata = {} } = update;
  requireFreeKeys(metadata);
  if (name !== undefined && typeof name !== "string") throw invalid("update.name", "must be a string.");
  const speaker = { id: platformId(user, "update.user"), ...(name === undefined ? {} : { name }) };
  return {
    id,
    role: "user",
    content: contentOf(update),
    ...(at === undefined ? {} : { createdAt: Number(at) }),
    metadata: { ...metadata, ...speakerMetadata(speaker) },
  };
}

/** The message of an update, as the prompt of a turn. */
export function updatePrompt(update: BotUpdate, turnId: string): IdentifiedMessage {
  return { ...markPrompt(turnId, updateMessage(update, turnId)), id: turnId };
}

function requireFreeKeys(metadata: unknown): void {
  if (!isFields(metadata)) throw invalid("update.metadata", "must be an object.");
  const taken = Object.keys(metadata).find((key) => key.startsWith("bot.") || RESERVED_KEYS.includes(key));
  if (taken !== undefined) throw invalid(`update.metadata.${taken}`, "is written by the bot itself.");
}

function contentOf({ text, content }: BotUpdate): unknown {
  if (content !== undefined && text !== undefined)
    throw invalid("update.text", "must be absent where there is content: put it there, as a part.");
  if (content !== undefined) return content;
  if (typeof text === "string") return text;
  throw invalid("update.text", "must be a string.");
}
