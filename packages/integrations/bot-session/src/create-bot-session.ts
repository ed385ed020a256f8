import type { BotSession } from "./bot-session.js";
import type { BotSessionOptions } from "./options.js";
import { requireSettings } from "./settings.js";
import { StoredBot } from "./stored-bot.js";

/**
 * Makes the conversations of a bot: one for each user, chat or thread, in a store that any number of workers share. Nothing is read or
 * written before the first call.
 *
 * @example
 * ```ts
 * const bot = createBotSession({
 *   store,
 *   platform: "telegram",
 *   scope: "user",
 *   respond: ({ messages }) => `That was message ${messages.length}.`,
 * });
 * const { reply } = await bot.handle({ id: 8731, user: 42, text: "Hello." });
 * console.log(reply);
 * ```
 */
export function createBotSession(options: BotSessionOptions): BotSession {
  return new StoredBot(requireSettings(options));
}
