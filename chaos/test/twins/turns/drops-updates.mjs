import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { overlaid } from "../faulty.mjs";

export { open } from "./faulty-store.mjs";

/** Says of one update in eighty that its conversation is busy, however often it comes. */
export function createBotSession(options) {
  const bot = make(options);
  return overlaid(bot, {
    async handle(update) {
      if (update.id % 80 === 5) throw SessionError.of("TURN_BUSY", "There is another one.", {});
      return bot.handle(update);
    },
  });
}
