import { textOf } from "@sessions/json-file";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { UsageError } from "../usage-error.js";
import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const undoCommand: Command = {
  name: "/undo",
  does: "takes the last question and its answer back",
  async run(chat) {
    const { id, messageCount } = await presentSession(chat);
    if (messageCount === 0) throw new UsageError("There is nothing left to take back.");
    const { messages } = await chat.store.popMessage(id, { exchange: true });
    const [question] = messages;
    const words = question === undefined ? "" : stripControlsLine(textOf(question));
    chat.screen.line(`Taken back: "${words}" (${messages.length} messages).`);
    return undefined;
  },
};
