import { createBotSession as make } from "@sessions/bot-session";
import { overlaid } from "../faulty.mjs";

export { open } from "./faulty-store.mjs";

/**
 * Stops the turn that runs whatever comes, also an update that was answered long ago. Each update comes a second time
 * while it is being answered: so each turn is stopped.
 */
export function createBotSession({ respond, ...options }) {
  const stop = async (sessionId) => {
    const running = (await options.store.getSession(sessionId, { messages: "none" }))?.turn;
    if (running !== undefined) await options.store.interruptTurn(sessionId);
  };
  async function* stopped(turn) {
    await stop(turn.sessionId);
    yield* respond(turn);
  }
  const bot = make({ ...options, respond: stopped });
  return overlaid(bot, {
    async handle(update) {
      await stop(await bot.sessionId(update));
      return bot.handle(update);
    },
  });
}
