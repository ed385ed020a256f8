import { StoredChat } from "./chat/stored-chat.js";
import type { ChatHandlers, ChatHandlersOptions } from "./options.js";
import { settingsOf } from "./settings.js";

/**
 * Creates the route handlers of a chat for `useChat`, on any session store, in any number of processes. An answer continues when its page is
 * closed. Any process can stream it from its beginning. What was saved of it survives the process that wrote it.
 *
 * @example
 * ```ts
 * import { convertToModelMessages, streamText, type LanguageModel } from "ai";
 *
 * declare const model: LanguageModel;
 * const { post, resume, stop } = createChatHandlers({
 *   store,
 *   // Your own way to identify the user.
 *   authorize: (request) => request.headers.get("x-user"),
 *   respond: async ({ messages, signal }) =>
 *     streamText({ model, messages: await convertToModelMessages(messages), abortSignal: signal }),
 * });
 * ```
 */
export function createChatHandlers(options: ChatHandlersOptions): ChatHandlers {
  return new StoredChat(settingsOf(options));
}
