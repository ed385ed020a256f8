import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { textOf } from "../../text-of.js";
import type { LoadedChat } from "./loaded-chat.js";

/** A stored chat, and the SDK's chat that was made of it. */
export interface Conversation {
  readonly loaded: LoadedChat;
  readonly chat: Chat<UIMessage>;
}

/** `onDisconnect` is called when a stream breaks off. */
export function conversationOf(id: string, loaded: LoadedChat, onDisconnect: () => void): Conversation {
  const chat = new Chat<UIMessage>({
    id,
    messages: loaded.messages,
    transport: transportOf(loaded),
    onError: (error) => {
      if (error instanceof TypeError) onDisconnect();
    },
  });
  return { loaded, chat };
}

export const isAnswering = ({ status }: Pick<Chat<UIMessage>, "status">): boolean =>
  status === "submitted" || status === "streaming";

/** The text of a question that could not be sent: the page has it and the store does not. */
export function unsentText({ chat }: Conversation, stored: LoadedChat): string | undefined {
  const last = chat.messages.at(-1);
  if (chat.status !== "error" || last?.role !== "user") return undefined;
  return stored.messages.some(({ id }) => id === last.id) ? undefined : textOf(last);
}

function transportOf({ revision }: LoadedChat): DefaultChatTransport<UIMessage> {
  return new DefaultChatTransport({
    // The server has the messages before it. A request has at most 1 MiB, and a long chat more.
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
      body: { id, messages: messages.slice(-1), trigger, messageId },
    }),
    // From the revision of the loaded chat, so that an answer that has ended since is not missed.
    prepareReconnectToStreamRequest: ({ id }) => ({
      api: `/api/chat/${encodeURIComponent(id)}/stream?since=${revision}`,
    }),
  });
}
