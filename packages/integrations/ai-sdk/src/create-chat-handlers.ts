import { StoredChat } from "./chat/stored-chat.js";
import type { ChatHandlers, ChatHandlersOptions } from "./options.js";
import { settingsOf } from "./settings.js";

/**
 * Makes the route handlers of a chat: for `useChat`, on any session store, in any number of processes. An answer goes on
 * when its page is closed, can be followed from its beginning in any process, and outlives the process that wrote it.
 *
 * @example
 * ```ts
 * import { convertToModelMessages, streamText, type LanguageModel } from "ai";
 *
 * declare const model: LanguageModel;
 * const { post, resume, stop } = createChatHandlers({
 *   store,
 *   // Your own way to know who asks.
 *   authorize: (request) => request.headers.get("x-user"),
 *   respond: async ({ messages, signal }) =>
 *     streamText({ model, messages: await convertToModelMessages(messages), abortSignal: signal }),
 * });
 * ```
 */
export function createChatHandlers(options: ChatHandlersOptions): ChatHandlers {
  return new StoredChat(settingsOf(options));
}
