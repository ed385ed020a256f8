import { setTimeout } from "node:timers/promises";
import { createBotSession as make } from "@sessions/bot-session";
import { withMethods } from "run-tools";
import { withTurns } from "./with-turns.mjs";

export { open } from "./with-turns.mjs";

const SAVE_DELAY_MS = 100;

let hasSkipped = false;

/**
 * Returns an answer before it saves it. Each process never saves its first answer, as if it had been killed in between.
 */
export function createBotSession({ store, respond, ...options }) {
  const waiting = new Map();
  const fault = (turn) => ({
    complete: (ops, given) => setTimeout(SAVE_DELAY_MS).then(() => turn.complete(ops, given)),
  });
  async function* answering(turn) {
    let reply = "";
    for await (const event of respond(turn)) {
      reply = withEvent(reply, event);
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
    for await (const event of respond({ update, messages: [], signal })) reply = withEvent(reply, event);
    hasSkipped = true;
    return { outcome: "answered", reply, duplicate: false, sessionId };
  }
  // Bots that destroy on reset are left out: there, the judge accepts a missing reply.
  const isSkipped = ({ text }) => !hasSkipped && !options.reset.destroy && text !== "/new";
  return withMethods(bot, {
    handle: (update) =>
      new Promise((resolve, reject) => {
        waiting.set(update.id, resolve);
        (isSkipped(update) ? unsaved(update) : bot.handle(update)).then(resolve, reject);
      }),
  });
}

function withEvent(reply, event) {
  if (event.type === "text-delta") return reply + event.text;
  return event.type === "tool-result" ? "" : reply;
}
