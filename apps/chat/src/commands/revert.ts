import type { SnapshotInfo } from "@sessions/json-file";
import type { Chat } from "../chat.js";
import { ageOf } from "../sessions/age.js";
import type { Command } from "./command.js";
import { presentSession } from "./present-session.js";

export const revertCommand: Command = {
  name: "/revert",
  takes: "[NAME]",
  does: "goes back to a snapshot; without a name, lists them",
  async run(chat, argument) {
    const { id, snapshots } = await presentSession(chat);
    if (argument === "") return showSnapshots(chat, snapshots);
    await chat.store.revertToSnapshot(id, argument);
    const { messageCount } = await presentSession(chat);
    chat.screen.line(`Back at "${argument}": ${messageCount} messages.`);
    return undefined;
  },
  suggest: async (chat) => (await chat.store.listSnapshots(chat.agent.sessionId)).map(({ name }) => name),
};

function showSnapshots({ screen, now }: Chat, snapshots: readonly SnapshotInfo[]): undefined {
  if (snapshots.length === 0) screen.line("There are no snapshots. /snapshot NAME makes one.");
  for (const { name, messageCount, createdAt } of snapshots)
    screen.line(`  ${name}  (${messageCount} messages, ${ageOf(createdAt, now())})`);
}
