import { ask } from "./ask.js";
import type { Chat } from "./chat.js";
import { findCommand } from "./commands/find-command.js";
import { errorText } from "./terminal/error-text.js";

const PROMPT = "you> ";

/** Handles each line until the input ends or the user leaves. */
export async function converse(chat: Chat): Promise<void> {
  for (;;) {
    const line = await chat.lines.next(PROMPT);
    if (line === undefined || (await respond(chat, line)) === "leave") return;
  }
}

/** At a terminal an error is shown and the chat goes on. In a pipe it ends the chat, because later lines may depend on this one. */
async function respond(chat: Chat, line: string): Promise<"leave" | undefined> {
  try {
    return await take(chat, line);
  } catch (error) {
    if (!chat.interactive) throw error;
    chat.screen.error(errorText(error));
    return undefined;
  }
}

async function take(chat: Chat, line: string): Promise<"leave" | undefined> {
  const call = findCommand(line);
  if (call !== undefined) return await call.command.run(chat, call.argument);
  if (line.trim() !== "") await ask(chat, line.trim());
  return undefined;
}
