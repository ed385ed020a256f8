import type { AgentEvent } from "@sessions/managed-agent";
import { invalid, isRecord } from "@sessions/managed-agent/building-blocks";
import type { MessageInput } from "@sessions/protocol";
import type { BotAnswer, RewrittenHistory } from "../respond.js";

/** What is done with messages that an agent returns. */
export interface Returned {
  /** Whether a message is one of those that the agent was handed. */
  readonly isOld: (message: MessageInput) => boolean;
  /** Stores a rewritten history, and tells what in it is new. */
  readonly rewrite: (history: readonly MessageInput[]) => Promise<readonly MessageInput[]>;
}

/** An answer, in whichever form it was given, as events. */
export async function* eventsOf(
  answer: () => BotAnswer | Promise<BotAnswer>,
  returned: Returned,
): AsyncGenerator<AgentEvent, void, undefined> {
  const given = await answer();
  if (given === undefined || given === null || given === "") return;
  if (typeof given === "string") yield { type: "text-delta", text: given };
  else if (isEvents(given)) yield* given;
  else for (const message of await messagesIn(given, returned)) yield { type: "message", message };
}

async function messagesIn(
  given: Exclude<BotAnswer, string | undefined | AsyncIterable<AgentEvent>>,
  { isOld, rewrite }: Returned,
): Promise<readonly MessageInput[]> {
  if (isHistory(given)) return rewrite(given.history);
  const messages = isMany(given) ? given : [given];
  if (!messages.every(isRecord))
    throw invalid("the answer", "must be text, messages, events, { history }, or nothing.");
  return messages.some(isOld) ? rewrite(messages) : messages;
}

function isEvents(value: BotAnswer): value is AsyncIterable<AgentEvent> {
  return typeof value === "object" && Symbol.asyncIterator in value;
}

function isHistory(value: object): value is RewrittenHistory {
  return "history" in value && Array.isArray(value.history);
}

function isMany(value: MessageInput | readonly MessageInput[]): value is readonly MessageInput[] {
  return Array.isArray(value);
}
