import { createBotSession as make } from "@sessions/bot-session";
import { createManagedAgent as makeAgent } from "@sessions/managed-agent";
import { overlaid } from "../faulty.mjs";

export { open } from "./faulty-store.mjs";

let deliveries = 0;

/** Takes an update that comes again for a new one. */
export function createBotSession(options) {
  const bot = make(options);
  return overlaid(bot, { handle: (update) => bot.handle({ ...update, id: fresh(update.id) }) });
}

export function createManagedAgent(options) {
  const agent = makeAgent({
    ...options,
    runner: (turn) => options.runner({ ...turn, turnId: turn.turnId.split(".")[0] }),
  });
  return overlaid(agent, {
    execute: (prompt, { turnId }) => agent.execute(prompt, { turnId: fresh(turnId) }),
  });
}

function fresh(id) {
  return `${id}.${process.pid}.${++deliveries}`;
}
