import type { SessionSummary } from "@sessions/json-file";
import type { Chat } from "../chat.js";
import { ageOf } from "../sessions/age.js";
import { conversations } from "../sessions/conversations.js";
import { shortId } from "../sessions/short-id.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import type { Command } from "./command.js";

export const listCommand: Command = {
  name: "/list",
  does: "lists the conversations, the newest first",
  async run(chat) {
    const all = await conversations(chat);
    chat.listed = all.map(({ id }) => id);
    if (all.length === 0) chat.screen.line("There are no conversations yet.");
    for (const [at, session] of all.entries()) chat.screen.line(rowOf(chat, session, at + 1));
    return undefined;
  },
};

function rowOf({ agent, now }: Chat, session: SessionSummary, number: number): string {
  const mark = session.id === agent.sessionId ? "*" : " ";
  const title = stripControlsLine(session.title ?? "untitled");
  const messages = session.messageCount === 1 ? "1 message" : `${session.messageCount} messages`;
  return `${mark} ${number}  ${shortId(session.id)}  ${title}  (${messages}, ${ageOf(session.updatedAt, now())})`;
}
