import type { JsonObject } from "../../json/json.js";
import type { ContentPart, Message } from "../../message/message.js";
import type { ExtendOperation } from "../../operations/operation.js";
import { isPartial, livePosition, replaced } from "../history.js";
import { type ApplyOperation, type OperationContext, refusal } from "../operation-context.js";
import { alreadyComplete } from "./append.js";
import { messageNotFound } from "./message-not-found.js";
import { patched } from "./set.js";

export const applyExtend: ApplyOperation<ExtendOperation> = (state, op, context) => {
  const position = livePosition(state.history, op.messageId);
  const held = position === undefined ? undefined : state.history.messages.get(position);
  if (position === undefined || held === undefined) throw messageNotFound(context, op.messageId);
  const message = extendedMessage(held, op, context);
  if (message === held) return state;
  // A merge keeps a draft as it is now, whatever the caller's copy contains. Any other message must not change after
  // the merge base.
  if (!isPartial(held)) context.rewrites = true;
  return { ...state, history: replaced(state.history, position, message) };
};

/** A message with an extension applied. Stores that save extensions separately until the message is complete use it too. */
export function extendedMessage(held: Message, op: ExtendOperation, context: OfSession): Message {
  const grown = withParts(
    withText(withReasoning(held, op.reasoning, context), op.text, context),
    op.parts,
    context,
  );
  return withStatus(withMetadata(grown, op.metadata), op.status, context);
}

type OfSession = Pick<OperationContext, "sessionId">;

function withReasoning(message: Message, text: string | undefined, context: OfSession): Message {
  if (text === undefined || text === "") return message;
  return withBody(message, appendText(bodyOf(message, context), "reasoning", text));
}

function withText(message: Message, text: string | undefined, context: OfSession): Message {
  if (text === undefined || text === "") return message;
  const { content } = message;
  if ((content === undefined || content === null) && !("parts" in message))
    return { ...message, content: text };
  if (typeof content === "string") return { ...message, content: content + text };
  return withBody(message, appendText(bodyOf(message, context), "text", text));
}

/** Appends to the last part if it has this type. Otherwise adds a part. */
function appendText(
  parts: readonly ContentPart[],
  type: "reasoning" | "text",
  text: string,
): readonly ContentPart[] {
  const last = parts.at(-1);
  if (last?.type !== type || typeof last["text"] !== "string") return [...parts, { type, text }];
  return [...parts.slice(0, -1), { ...last, text: last["text"] + text }];
}

function withParts(message: Message, parts: readonly ContentPart[] | undefined, context: OfSession): Message {
  if (parts === undefined || parts.length === 0) return message;
  return withBody(message, [...bodyOf(message, context), ...parts]);
}

// A UIMessage has its body in `parts`. It is extended there.
function bodyOf(message: Message, context: OfSession): readonly ContentPart[] {
  const { content } = message;
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const body: unknown = content ?? message["parts"] ?? [];
  if (!isParts(body)) throw notExtensible(context, message.id);
  return body;
}

function withBody(message: Message, body: readonly ContentPart[]): Message {
  return !Array.isArray(message.content) && "parts" in message
    ? { ...message, parts: body }
    : { ...message, content: body };
}

function isParts(body: unknown): body is readonly ContentPart[] {
  return Array.isArray(body);
}

function withMetadata(message: Message, patch: JsonObject | undefined): Message {
  const held = message.metadata ?? {};
  const metadata = patched(held, patch);
  return metadata === held ? message : { ...message, metadata };
}

function withStatus(message: Message, status: ExtendOperation["status"], context: OfSession): Message {
  if (status === undefined || status === (message.status ?? "complete")) return message;
  if (status === "partial" && message.status === undefined) throw alreadyComplete(context, message.id);
  const { status: _, ...rest } = message;
  return status === "complete" ? asMessage(message, rest) : { ...message, status };
}

function asMessage(message: Message, rest: Omit<Message, "status">): Message {
  return { ...rest, id: message.id, role: message.role, createdAt: message.createdAt };
}

function notExtensible(context: OfSession, messageId: string): Error {
  return refusal(
    context,
    "INVALID_ARGUMENT",
    `Message "${messageId}" has no text or parts that could be extended.`,
    {
      path: "messageId",
    },
  );
}
