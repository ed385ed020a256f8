import { createBotSession as make } from "@sessions/bot-session";
import { withMethods } from "run-tools";

export { open } from "./with-turns.mjs";

/** Interrupts the running turn for every update, even one that was answered before, and interrupts every turn once itself. */
export function createBotSession({ respond, ...options }) {
  const interrupt = async (sessionId) => {
    const running = (await options.store.getSession(sessionId, { messages: "none" }))?.turn;
    if (running !== undefined) await options.store.interruptTurn(sessionId);
  };
  async function* interrupted(turn) {
    await interrupt(turn.sessionId);
    yield* respond(turn);
  }
  const bot = make({ ...options, respond: interrupted });
  return withMethods(bot, {
    async handle(update) {
      await interrupt(await bot.sessionId(update));
      return bot.handle(update);
    },
  });
}
