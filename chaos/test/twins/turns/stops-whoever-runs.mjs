import { createBotSession as make } from "@sessions/bot-session";
import { overlaid } from "../faulty.mjs";

export { open } from "./faulty-store.mjs";

/** Stops the turn that runs whatever comes, also an update that was answered long ago. */
export function createBotSession(options) {
  const bot = make(options);
  return overlaid(bot, {
    async handle(update) {
      const session = await bot.sessionId(update);
      const running = (await options.store.getSession(session, { messages: "none" }))?.turn;
      if (running !== undefined) await options.store.interruptTurn(session);
      return bot.handle(update);
    },
  });
}
