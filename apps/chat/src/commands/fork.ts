import { enterSession } from "../sessions/enter-session.js";
import { shortId } from "../sessions/short-id.js";
import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const forkCommand: Command = {
  name: "/fork",
  takes: "[TITLE]",
  does: "copies the conversation and goes on with the copy; the original stays as it is",
  async run(chat, argument) {
    const { id, title = "untitled" } = await presentSession(chat);
    const { sessionId } = await chat.agent.forkSession({ title: argument || `${title} (fork)` });
    await enterSession(chat, sessionId);
    chat.screen.remark(`/switch ${shortId(id)} goes back to the original.`);
    return undefined;
  },
};
