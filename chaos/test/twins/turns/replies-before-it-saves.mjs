import { setTimeout } from "node:timers/promises";
import { createBotSession as make } from "@sessions/bot-session";
import { overlaid } from "../faulty.mjs";
import { withTurns } from "./faulty-store.mjs";

export { open } from "./faulty-store.mjs";

const SAVES_AFTER_MS = 100;

/** Tells the answer as soon as the model has given it, and saves it a moment later. */
export function createBotSession({ store, respond, ...options }) {
  const waiting = new Map();
  const fault = (turn) => ({
    complete: (ops, given) => setTimeout(SAVES_AFTER_MS).then(() => turn.complete(ops, given)),
  });
  async function* answering(turn) {
    let reply = "";
    for await (const event of respond(turn)) {
      if (event.type === "text-delta") reply += event.text;
      if (event.type === "tool-result") reply = "";
      yield event;
    }
    waiting.get(turn.update.id)?.({
      outcome: "answered",
      reply,
      duplicate: false,
      sessionId: turn.sessionId,
    });
  }
  const bot = make({ ...options, store: withTurns(store, { fault }), respond: answering });
  return overlaid(bot, {
    handle: (update) =>
      new Promise((resolve, reject) => {
        waiting.set(update.id, resolve);
        bot.handle(update).then(resolve, reject);
      }),
  });
}
