import type { Chat } from "../chat.js";
import { putInOrder } from "../recovery/put-in-order.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { rememberSession } from "./last-session.js";
import { nameSession } from "./name-session.js";
import { showLastExchange } from "./show-last-exchange.js";

/** Enters a conversation: shows its last messages, and handles an answer that was cut off. */
export async function enterSession(chat: Chat, sessionId: string): Promise<void> {
  await nameSession(chat.store, sessionId);
  const resumed = await chat.agent.resume(sessionId);
  await rememberSession(chat.store, sessionId);
  const { title, messageCount, messages, turn } = resumed.session;
  chat.screen.remark(`Going on with "${stripControlsLine(title ?? "untitled")}" (${messageCount} messages).`);
  if (turn === undefined) showLastExchange(messages, chat.screen);
  await putInOrder(chat, resumed);
}
