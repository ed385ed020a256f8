import { retryTurn } from "../retry-turn.js";
import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const retryCommand: Command = {
  name: "/retry",
  does: "asks the last question again, if its answer was interrupted or failed",
  async run(chat) {
    await presentSession(chat);
    await retryTurn(chat, false);
    return undefined;
  },
};
