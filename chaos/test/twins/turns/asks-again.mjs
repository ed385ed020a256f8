import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { overlaid } from "../faulty.mjs";
import { withTurns } from "./faulty-store.mjs";

export { open } from "./faulty-store.mjs";

/**
 * Adds the prompt once more whenever its update is delivered again before it is answered. Its model fails at first, and
 * then the update is delivered again at once: so each one is.
 */
export function createBotSession({ store, respond, ...options }) {
  const renamed = ({ messages, ...given }) => ({
    ...given,
    messages: { ...messages, id: crypto.randomUUID() },
  });
  const asked = new Set();
  const failingFirst = (turn) => {
    if (asked.has(turn.update.id)) return respond(turn);
    asked.add(turn.update.id);
    throw SessionError.of("STORE_BUSY", "The model is away.", {});
  };
  const bot = make({ ...options, respond: failingFirst, store: withTurns(store, { options: renamed }) });
  return overlaid(bot, { handle: (update) => bot.handle(update).catch(() => bot.handle(update)) });
}
