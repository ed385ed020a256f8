import {
  type Message,
  type ReadOptions,
  requireOptions,
  requireStore,
  type Session,
  type SessionStore,
} from "@sessions/protocol/integration";
import type { UIMessage } from "ai";
import { draftedMessage, isDraft } from "./answer/answer-draft.js";
import { resultsIn, uiMessageOfOther } from "./messages/other-message.js";
import { settledParts } from "./messages/settled-parts.js";
import { marksOf, uiMessageIn } from "./messages/stored-message.js";

/** A chat for a page. */
export interface LoadedChat {
  /** Without the answer that is being written: the stream has all of it. */
  readonly messages: UIMessage[];
  /** Whether some process is writing an answer now. */
  readonly isAnswering: boolean;
  /** Set if the last message is an incomplete answer. */
  readonly cutOff?: { readonly messageId: string; readonly error?: string };
  /** The revision of the session, for `saveMessages` and for the `since` of a stream. 0 if there is no session. */
  readonly revision: number;
}

/** Reads a chat, also if other programs wrote some of it. A chat that does not exist is empty. */
export async function loadChat(
  store: SessionStore,
  sessionId: string,
  options: ReadOptions = {},
): Promise<LoadedChat> {
  requireStore(store);
  const { signal } = requireOptions(options, { signal: "signal" });
  const session = await store.getSession(sessionId, { signal });
  if (session === undefined) return { messages: [], isAnswering: false, revision: 0 };
  const running = session.turn?.status === "running" ? session.turn.turnId : undefined;
  const isRunning = (message: Message): boolean =>
    running !== undefined && message.status === "partial" && marksOf(message).turnId === running;
  const stored = session.messages.filter((message) => !isRunning(message));
  const messages = await uiMessages(stored);
  const cutOff = running === undefined ? cutOffIn(session) : {};
  return { messages, isAnswering: running !== undefined, ...cutOff, revision: session.revision };
}

/** Reads the messages of a chat, for `useChat`. */
export async function loadMessages(
  store: SessionStore,
  sessionId: string,
  options: ReadOptions = {},
): Promise<UIMessage[]> {
  return (await loadChat(store, sessionId, options)).messages;
}

/** Stored messages as UIMessages. */
export async function uiMessages(stored: readonly Message[]): Promise<UIMessage[]> {
  const results = resultsIn(stored);
  const messages = await Promise.all(stored.map((message) => uiMessageOf(message, results)));
  return messages.filter((message) => message !== undefined);
}

/** The UIMessage of a stored message, also of a draft; `undefined` if no chat wrote it. */
export async function answerIn(message: Message): Promise<UIMessage | undefined> {
  return isDraft(message) ? draftedMessage(message) : uiMessageIn(message);
}

async function uiMessageOf(
  message: Message,
  results: ReturnType<typeof resultsIn>,
): Promise<UIMessage | undefined> {
  const known = (await answerIn(message)) ?? uiMessageOfOther(message, results);
  return known === undefined || message.status === undefined ? known : settledParts(known);
}

function cutOffIn({ messages, lastTurn }: Session): Pick<LoadedChat, "cutOff"> {
  const last = messages.at(-1);
  if (last === undefined || last.role !== "assistant" || last.status === undefined) return {};
  const isOfLastTurn = lastTurn !== undefined && lastTurn.turnId === marksOf(last).turnId;
  const error = isOfLastTurn && lastTurn.error !== undefined ? { error: lastTurn.error } : {};
  return { cutOff: { messageId: last.id, ...error } };
}
