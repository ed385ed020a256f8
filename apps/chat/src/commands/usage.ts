import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const usageCommand: Command = {
  name: "/usage",
  does: "tells what this conversation has used",
  async run(chat) {
    await presentSession(chat);
    const counters = Object.entries(await chat.agent.usage());
    if (counters.length === 0) chat.screen.line("Nothing was used yet.");
    for (const [counter, count] of counters) chat.screen.line(`  ${counter}: ${count}`);
    return undefined;
  },
};
