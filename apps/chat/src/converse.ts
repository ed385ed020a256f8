import { ask } from "./ask.js";
import type { Chat } from "./chat.js";
import { findCommand } from "./commands/find-command.js";
import { told } from "./terminal/told.js";

const PROMPT = "you> ";

/** Takes line after line until there are no more or the user leaves. */
export async function converse(chat: Chat): Promise<void> {
  for (;;) {
    const line = await chat.lines.next(PROMPT);
    if (line === undefined || (await respond(chat, line)) === "leave") return;
  }
}

/** With somebody there a failure is told, and they try something else. In a pipe what comes next may build on it. */
async function respond(chat: Chat, line: string): Promise<"leave" | undefined> {
  try {
    return await take(chat, line);
  } catch (error) {
    if (!chat.interactive) throw error;
    chat.screen.error(told(error));
    return undefined;
  }
}

async function take(chat: Chat, line: string): Promise<"leave" | undefined> {
  const call = findCommand(line);
  if (call !== undefined) return await call.command.run(chat, call.argument);
  if (line.trim() !== "") await ask(chat, line.trim());
  return undefined;
}
