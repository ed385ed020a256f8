import { setTimeout } from "node:timers/promises";
import { createBotSession as make } from "@sessions/bot-session";
import { overlaid } from "../faulty.mjs";
import { withTurns } from "./faulty-store.mjs";

export { open } from "./faulty-store.mjs";

const SAVES_AFTER_MS = 100;

let hasLost = false;

/**
 * Tells the answer as soon as the model has given it, and saves it a moment later. What each process tells first it never
 * saves, as if it had been killed in between.
 */
export function createBotSession({ store, respond, ...options }) {
  const waiting = new Map();
  const fault = (turn) => ({
    complete: (ops, given) => setTimeout(SAVES_AFTER_MS).then(() => turn.complete(ops, given)),
  });
  async function* answering(turn) {
    let reply = "";
    for await (const event of respond(turn)) {
      reply = grown(reply, event);
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
  async function unsaved(update) {
    const sessionId = await bot.sessionId(update);
    const { signal } = new AbortController();
    let reply = "";
    for await (const event of respond({ update, messages: [], signal })) reply = grown(reply, event);
    hasLost = true;
    return { outcome: "answered", reply, duplicate: false, sessionId };
  }
  // Where resets destroy, a reply may be gone for another reason.
  const isLost = ({ text }) => !hasLost && !options.reset.destroy && text !== "/new";
  return overlaid(bot, {
    handle: (update) =>
      new Promise((resolve, reject) => {
        waiting.set(update.id, resolve);
        (isLost(update) ? unsaved(update) : bot.handle(update)).then(resolve, reject);
      }),
  });
}

function grown(reply, event) {
  if (event.type === "text-delta") return reply + event.text;
  return event.type === "tool-result" ? "" : reply;
}
