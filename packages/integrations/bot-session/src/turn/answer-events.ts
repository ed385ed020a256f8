import type { MessageInput } from "@sessions/protocol";
import type { AgentEvent } from "@sessions/turn-runner";
import { invalid, isFields } from "@sessions/turn-runner";
import type { BotAnswer, RewrittenHistory } from "../respond.js";

/** What is done with messages that an agent returns. */
export interface Returned {
  /** Whether messages are the history that the agent was handed, as it left it. */
  readonly isHistory: (messages: readonly MessageInput[]) => boolean;
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
  else if (typeof given !== "object") throw noAnswer();
  else if (isEvents(given)) yield* given;
  else for (const message of await messagesIn(given, returned)) yield { type: "message", message };
}

async function messagesIn(given: object, { isHistory, rewrite }: Returned): Promise<readonly MessageInput[]> {
  if (isRewritten(given)) return rewrite(requireMessages(given.history));
  const messages = requireMessages(Array.isArray(given) ? given : [given]);
  return isHistory(messages) ? rewrite(messages) : messages;
}

function isEvents(value: object): value is AsyncIterable<AgentEvent> {
  return Symbol.asyncIterator in value;
}

function isRewritten(value: object): value is RewrittenHistory {
  return "history" in value && Array.isArray(value.history);
}

function requireMessages(values: readonly unknown[]): readonly MessageInput[] {
  if (values.every(isMessage)) return values;
  throw noAnswer();
}

function isMessage(value: unknown): value is MessageInput {
  return isFields(value) && typeof value["role"] === "string";
}

function noAnswer(): Error {
  return invalid("the answer", "must be text, messages, events, { history }, or nothing.");
}
