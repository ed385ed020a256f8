import type { Message, MessageInput } from "@sessions/protocol";
import type { UIMessage } from "ai";
import { type ChatMarks, marksOf, type StoredMessage, uiMessageIn } from "../messages/stored-message.js";
import { foldChunks } from "./fold-chunks.js";

/** A new draft: an empty answer, or the beginning of an answer that continues. */
export function emptyDraft(answerId: string, marks: ChatMarks, base?: StoredMessage): MessageInput {
  return {
    id: answerId,
    role: "assistant",
    status: "partial",
    content: [],
    chat: { ...base?.chat, ...marks, base: base?.parts ?? [] },
    ...(base?.metadata === undefined ? {} : { metadata: base.metadata }),
  };
}

/** Whether a message is a draft, complete or not: its content is the chunks of a stream. */
export function isDraft(message: Message): boolean {
  return marksOf(message).base !== undefined && Array.isArray(message.content);
}

/** The UIMessage that the chunks of a draft make. */
export async function draftedMessage(message: Message): Promise<UIMessage> {
  const { content } = message;
  const base = uiMessageIn({ ...message, parts: marksOf(message).base });
  if (base === undefined)
    throw new TypeError(`The draft of message "${message.id}" has no parts to begin with.`);
  return (await foldChunks(base, Array.isArray(content) ? content : [])).message;
}
