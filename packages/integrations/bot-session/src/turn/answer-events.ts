import type { MessageInput } from "@sessions/protocol";
import { type AgentEvent, invalid, isFields } from "@sessions/turn-runner";
import type { BotAnswer, RewrittenHistory } from "../respond.js";

/** Recognizes a rewritten history among the messages that an agent returns, and stores it. */
export interface HistoryRewriter {
  /** Whether the messages are the history that the agent got, perhaps changed. */
  readonly isHistory: (messages: readonly MessageInput[]) => boolean;
  /** Stores a rewritten history, and returns its new messages. */
  readonly rewrite: (history: readonly MessageInput[]) => Promise<readonly MessageInput[]>;
}

/** An answer in any of its forms, as events. */
export async function* answerEvents(
  respond: () => BotAnswer | Promise<BotAnswer>,
  rewriter: HistoryRewriter,
): AsyncGenerator<AgentEvent, void, undefined> {
  const answer = await respond();
  if (answer === undefined || answer === null || answer === "") return;
  if (typeof answer === "string") yield { type: "text-delta", text: answer };
  else if (typeof answer !== "object") throw noAnswer();
  else if (isEvents(answer)) yield* answer;
  else for (const message of await newMessages(answer, rewriter)) yield { type: "message", message };
}

async function newMessages(
  answer: object,
  { isHistory, rewrite }: HistoryRewriter,
): Promise<readonly MessageInput[]> {
  if (isRewritten(answer)) return rewrite(requireMessages(answer.history));
  const messages = requireMessages(Array.isArray(answer) ? answer : [answer]);
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
