import { retryTurn } from "../retry-turn.js";
import { UsageError } from "../usage-error.js";
import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const retryCommand: Command = {
  name: "/retry",
  does: "asks the last question again, if its answer was interrupted or failed",
  async run(chat) {
    await presentSession(chat);
    if (await retryTurn(chat)) return undefined;
    throw new UsageError("There is nothing to retry: the last answer is complete, or was kept as it is.");
  },
};
