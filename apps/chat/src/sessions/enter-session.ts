import type { Chat } from "../chat.js";
import { putInOrder } from "../recovery/put-in-order.js";
import { harmlessLine } from "../terminal/harmless.js";
import { rememberSession } from "./last-session.js";
import { nameSession } from "./name-session.js";
import { showLastExchange } from "./show-last-exchange.js";

/** Goes on with a conversation: shows where it stood, and sees to an answer that was cut off. */
export async function enterSession(chat: Chat, sessionId: string): Promise<void> {
  const resumed = await chat.agent.resume(sessionId);
  await rememberSession(chat.store, sessionId);
  await nameSession(chat.store, sessionId);
  const { messageCount, title } = resumed.session;
  chat.screen.remark(`Going on with "${harmlessLine(title ?? "untitled")}" (${messageCount} messages).`);
  if (resumed.cutOff === undefined) showLastExchange(resumed.session.messages, chat.screen);
  await putInOrder(chat, resumed);
}
