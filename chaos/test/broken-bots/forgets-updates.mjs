import { createBotSession as make } from "@sessions/bot-session";
import { createManagedAgent as makeAgent } from "@sessions/managed-agent";
import { withMethods } from "run-tools";

export { open } from "./with-turns.mjs";

let deliveries = 0;

/** Answers an update that is delivered again as a new one. */
export function createBotSession(options) {
  const bot = make(options);
  return withMethods(bot, { handle: (update) => bot.handle({ ...update, id: fresh(update.id) }) });
}

export function createManagedAgent(options) {
  const agent = makeAgent({
    ...options,
    runner: (turn) => options.runner({ ...turn, turnId: turn.turnId.split(".")[0] }),
  });
  return withMethods(agent, {
    execute: (prompt, { turnId }) => agent.execute(prompt, { turnId: fresh(turnId) }),
  });
}

function fresh(id) {
  return `${id}.${process.pid}.${++deliveries}`;
}
