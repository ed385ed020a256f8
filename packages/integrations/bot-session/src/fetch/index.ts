export { type BotWebhookOptions, createBotWebhook } from "./bot-webhook.js";
