import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { withMethods } from "run-tools";
import { withTurns } from "./with-turns.mjs";

export { open } from "./with-turns.mjs";

/**
 * Stores the prompt again under a new id when an update is delivered again before it is answered. Each update is delivered again,
 * because the first answer of the model fails.
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
    throw SessionError.of("STORE_BUSY", "The model is unavailable.", {});
  };
  const bot = make({ ...options, respond: failingFirst, store: withTurns(store, { options: renamed }) });
  return withMethods(bot, { handle: (update) => bot.handle(update).catch(() => bot.handle(update)) });
}
