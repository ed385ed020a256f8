import { createHash } from "node:crypto";
import {
  append,
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  type OperationInput,
  SessionError,
  splice,
} from "@sessions/protocol/integration";
import type { UIMessage } from "ai";
import { marksOf, storedMessage, uiMessageIn } from "../messages/stored-message.js";
import { isFields } from "../pick-fields.js";
import { answeredCall } from "./answered-call.js";
import type { ChatRequest } from "./chat-request.js";

/** Where what a page sends has its place, and what must be answered. */
export type Placement =
  | { readonly status: "answered"; readonly answer: Message }
  | {
      readonly status: "open";
      /** Puts the message in its place. */
      readonly ops: readonly OperationInput[];
      /** The messages to answer, as they are stored then. */
      readonly history: readonly Message[];
      /** An answer to go on with. */
      readonly base?: UIMessage;
      /** What stands after the answer. */
      readonly behind: readonly Message[];
    };

/** A name for what is asked: the same request again has the same. */
export function nameOfAsked({ trigger, messageId, messages }: ChatRequest): string {
  const last = messages.at(-1);
  const told = last?.role === "assistant" ? last.parts.filter((part) => "toolCallId" in part) : last?.parts;
  return createHash("sha256")
    .update(JSON.stringify([trigger, messageId ?? null, last?.id, jsonify(told)]))
    .digest("base64url");
}

/**
 * Finds the place of the last message that a page sent. All that stands before it is what the store says: a page may be
 * behind, and is not asked. Sent twice, it has its place already.
 */
export function placement(live: readonly Message[], request: ChatRequest): Placement {
  const last = request.messages.at(-1);
  if (last === undefined) throw invalid("messages", "must not be empty.");
  const at = live.findIndex(({ id }) => id === last.id);
  const held = live[at];
  if (held === undefined) return placeNew(live, request, last);
  return last.role === "assistant"
    ? goOn(live, at, held, last, request)
    : placeAgain(live, at, held, last, request);
}

/** A chat that the store does not know yet is taken as the page has it. */
function placeNew(live: readonly Message[], { messages }: ChatRequest, last: UIMessage): Placement {
  if (last.role === "assistant")
    throw invalid("messages", "end with an answer that this chat does not have. Load the chat again.");
  const added = (live.length === 0 ? messages : [last]).map((message) => storedMessage(message));
  return open(live, added, live.length);
}

/** A question that is there: sent twice, edited, or asked again. What follows it goes, unless it answers this very request. */
function placeAgain(
  live: readonly Message[],
  at: number,
  held: Message,
  last: UIMessage,
  request: ChatRequest,
): Placement {
  const answer = live[at + 1];
  // `regenerate()` of a page does not say what it wants replaced: each one is a new one.
  const isNameable = request.trigger === "submit-message" || request.messageId !== undefined;
  if (answer !== undefined && isNameable && isAnswerTo(answer, request))
    return { status: "answered", answer };
  const isSame = equalJson(jsonify(uiMessageIn(held)?.parts), jsonify(last.parts));
  return isSame ? open(live, [], at + 1) : open(live, [storedMessage(last)], at);
}

function isAnswerTo(answer: Message, request: ChatRequest): boolean {
  return answer.status === undefined && marksOf(answer).asked === nameOfAsked(request);
}

/** An answer that goes on: its tools were answered, or approved, by the page. */
function goOn(
  live: readonly Message[],
  at: number,
  held: Message,
  last: UIMessage,
  request: ChatRequest,
): Placement {
  if (isAnswerTo(held, request)) return { status: "answered", answer: held };
  const stored = uiMessageIn(held);
  if (stored === undefined)
    throw invalid("messages", "end with an answer that was cut off. Ask again instead.");
  const base = { ...stored, parts: stored.parts.map((part) => answeredCall(part, last)) };
  const behind = live.slice(at + 1);
  const history = [...live.slice(0, at), asMessage(held, storedMessage(base))];
  return { status: "open", ops: [splice({ before: held.id })], history, base, behind };
}

function open(
  live: readonly Message[],
  added: readonly (MessageInput & { readonly id: string })[],
  keep: number,
): Placement {
  const kept = live.slice(0, keep);
  const ops = keep === live.length ? [append(added)] : [splice(keep, added)];
  const history = [...kept, ...added.map((message) => asMessage(undefined, message))];
  return { status: "open", ops: added.length === 0 && keep === live.length ? [] : ops, history, behind: [] };
}

/** A message that is about to be stored, as it will be. */
function asMessage(held: Message | undefined, input: MessageInput & { readonly id: string }): Message {
  const { id, role } = input;
  const json = jsonify(input);
  return { ...(isFields(json) ? json : {}), id, role, createdAt: held?.createdAt ?? 0 };
}

function invalid(path: string, rule: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${rule}`, { path });
}
