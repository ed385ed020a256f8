export { createChatHandlers } from "./create-chat-handlers.js";
export { type LoadedChat, loadChat, loadMessages } from "./load-chat.js";
export type { Answer, AnswerRequest, Authorize, ChatHandlers, ChatHandlersOptions } from "./options.js";
export { type AISDKRunnerOptions, aiSdkRunner } from "./runner/ai-sdk-runner.js";
export { type SaveMessagesOptions, saveMessages } from "./save-messages.js";
