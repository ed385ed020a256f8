import type { ChatMessage, Exchange } from "peers";
import { message } from "../chat.js";

/** A message with an id that the caller sets. */
function chatMessage(id: string, index: number): ChatMessage {
  return { id, role: index % 2 === 0 ? "user" : "assistant", content: String(message(index).content) };
}

export function chatMessages(length: number): readonly ChatMessage[] {
  return Array.from({ length }, (_, index) => chatMessage(`m${index}`, index));
}

/** An exchange of one of several writers of a conversation. */
export function exchangeOf(name: string, turn: number): Exchange {
  return {
    question: chatMessage(`${name}-${2 * turn}`, 2 * turn),
    answer: chatMessage(`${name}-${2 * turn + 1}`, 2 * turn + 1),
  };
}

/** The exchange that follows this number of messages. */
export function exchangeAfter(length: number): Exchange {
  return {
    question: chatMessage(`m${length}`, length),
    answer: chatMessage(`m${length + 1}`, length + 1),
  };
}
