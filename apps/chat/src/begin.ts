import { SessionError } from "@sessions/json-file";
import type { Chat } from "./chat.js";
import type { Options } from "./options.js";
import { enterSession } from "./sessions/enter-session.js";
import { lastSession, rememberSession } from "./sessions/last-session.js";
import { UsageError } from "./usage-error.js";

/** Prints the greeting, and enters the last conversation, the selected one, or a new one. */
export async function begin(chat: Chat, options: Options): Promise<void> {
  chat.screen.remark(chat.model.description);
  chat.screen.remark(`Conversations are kept in ${chat.place}. /help lists the commands.`);
  chat.screen.remark(WHAT_TO_TRY);
  const sessionId = options.isNew ? undefined : (options.session ?? (await lastSession(chat.store)));
  if (sessionId === undefined) await rememberSession(chat.store, chat.agent.sessionId);
  else await enter(chat, sessionId);
}

/** With the id of this process, so that the user need not look for it. */
const WHAT_TO_TRY = `Try this: type "tell me a long story", run  kill -9 ${process.pid}  in another terminal while it answers, and npm start again.`;

async function enter(chat: Chat, sessionId: string): Promise<void> {
  try {
    await enterSession(chat, sessionId);
  } catch (error) {
    if (!SessionError.is(error, "SESSION_NOT_FOUND", "SESSION_CORRUPTED")) throw error;
    throw new UsageError(`${error.message}\nnpm start -- --new begins a new conversation.`, { cause: error });
  }
}
