import { rememberSession } from "../sessions/last-session.js";
import type { Command } from "./command.js";

export const newCommand: Command = {
  name: "/new",
  does: "begins a new conversation; the present one stays",
  async run({ agent, store, screen }) {
    const { sessionId } = await agent.resetSession();
    await rememberSession(store, sessionId);
    screen.remark("A new conversation.");
    return undefined;
  },
};
