import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const snapshotCommand: Command = {
  name: "/snapshot",
  takes: "[NAME]",
  does: "gives the present state of the conversation a name",
  async run(chat, argument) {
    const { id, messageCount } = await presentSession(chat);
    const { name } = await chat.store.createSnapshot(id, argument || undefined);
    chat.screen.line(`Snapshot "${name}": ${messageCount} messages. /revert ${name} comes back to it.`);
    return undefined;
  },
};
