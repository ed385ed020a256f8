export type { BotOutcome, BotReply } from "./bot-reply.js";
export type { BotSession, EndIdleOptions, HandleOptions, OutboundMessage } from "./bot-session.js";
export type { BotTarget, BotUpdate, Identity } from "./bot-update.js";
export { createBotSession } from "./create-bot-session.js";
export type {
  BotScope,
  BotSessionOptions,
  BusyPolicy,
  ConversationEnd,
  ConversationStart,
  EndReason,
  ErrorPlace,
  HistoryOptions,
  ResetOptions,
} from "./options.js";
export type { BotAnswer, BotTurn, Respond, RewrittenHistory } from "./respond.js";
