import { createHash } from "node:crypto";
import {
  append,
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  type OperationInput,
  splice,
} from "@sessions/protocol/integration";
import { invalid, isFields } from "@sessions/turn-runner";
import type { UIMessage } from "ai";
import { marksOf, storedMessage, uiMessageIn } from "../messages/stored-message.js";
import { answeredCall } from "./answered-call.js";
import type { ChatRequest } from "./chat-request.js";

/** The answer to a request that was answered before. */
export interface Answered {
  readonly status: "answered";
  readonly answer: Message;
}

/** The place of a page's last message, and what must be answered. */
export interface Open {
  readonly status: "open";
  /** Stores the message in its place. */
  readonly ops: readonly OperationInput[];
  /** The messages to answer, as they will be stored. */
  readonly history: readonly Message[];
  /** An answer to continue. */
  readonly base?: UIMessage;
  /** The messages behind the answer. */
  readonly behind: readonly Message[];
}

/** A name for a request: the same request again has the same name. */
export function requestName({ trigger, messageId, messages }: ChatRequest): string {
  const last = messages.at(-1);
  const parts = last?.role === "assistant" ? last.parts.filter((part) => "toolCallId" in part) : last?.parts;
  return createHash("sha256")
    .update(JSON.stringify([trigger, messageId ?? null, last?.id, jsonify(parts)]))
    .digest("base64url");
}

/**
 * Finds the place of the last message that a page sent. The messages before it are those of the store: a page may be behind. A message
 * that is sent twice has its place already.
 */
export function placement(live: readonly Message[], request: ChatRequest): Answered | Open {
  const last = request.messages.at(-1);
  if (last === undefined) throw invalid("messages", "must not be empty.");
  const at = live.findIndex(({ id }) => id === last.id);
  const stored = live[at];
  if (stored === undefined) return placeNew(live, request, last);
  const found = { live, at, stored, last, request };
  return last.role === "assistant" ? continueAnswer(found) : placeAgain(found);
}

/** A page's last message that the store has already. */
interface Found {
  readonly live: readonly Message[];
  readonly at: number;
  readonly stored: Message;
  readonly last: UIMessage;
  readonly request: ChatRequest;
}

/** A chat that is not stored yet is taken as the page has it. */
function placeNew(live: readonly Message[], { messages }: ChatRequest, last: UIMessage): Open {
  if (last.role === "assistant")
    throw invalid("messages", "end with an answer that this chat does not have. Load the chat again.");
  const added = (live.length === 0 ? messages : [last]).map((message) => storedMessage(message));
  return open(live, added, live.length);
}

/** A question that was sent twice, edited, or is to be answered again. What follows it is removed, unless it answers this request. */
function placeAgain({ live, at, stored, last, request }: Found): Answered | Open {
  const answer = live[at + 1];
  // `regenerate()` without a message id does not say what to replace: each call is a new request.
  const hasName = request.trigger === "submit-message" || request.messageId !== undefined;
  if (answer !== undefined && hasName && isAnswerTo(answer, request)) return { status: "answered", answer };
  const isSame = equalJson(jsonify(uiMessageIn(stored)?.parts), jsonify(last.parts));
  return isSame ? open(live, [], at + 1) : open(live, [storedMessage(last)], at);
}

function isAnswerTo(answer: Message, request: ChatRequest): boolean {
  return answer.status === undefined && marksOf(answer).asked === requestName(request);
}

/** An answer that continues: the page has answered or approved its tool calls. */
function continueAnswer({ live, at, stored, last, request }: Found): Answered | Open {
  if (isAnswerTo(stored, request)) return { status: "answered", answer: stored };
  const message = uiMessageIn(stored);
  if (message === undefined)
    throw invalid("messages", "end with an answer that was cut off. Ask again instead.");
  const base = { ...message, parts: message.parts.map((part) => answeredCall(part, last)) };
  const behind = live.slice(at + 1);
  const history = [...live.slice(0, at), asMessage(stored, storedMessage(base))];
  return { status: "open", ops: [splice({ before: stored.id })], history, base, behind };
}

function open(
  live: readonly Message[],
  added: readonly (MessageInput & { readonly id: string })[],
  keep: number,
): Open {
  const kept = live.slice(0, keep);
  const ops = keep === live.length ? [append(added)] : [splice(keep, added)];
  const history = [...kept, ...added.map((message) => asMessage(undefined, message))];
  return { status: "open", ops: added.length === 0 && keep === live.length ? [] : ops, history, behind: [] };
}

/** A message as it will be stored. */
function asMessage(stored: Message | undefined, input: MessageInput & { readonly id: string }): Message {
  const { id, role } = input;
  const json = jsonify(input);
  return { ...(isFields(json) ? json : {}), id, role, createdAt: stored?.createdAt ?? 0 };
}
