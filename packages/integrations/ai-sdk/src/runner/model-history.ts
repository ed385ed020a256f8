import {
  type ContentPart,
  type Json,
  type JsonObject,
  jsonify,
  type Message,
  resultsAfterCalls,
  textOf,
} from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";
import { convertToModelMessages, type ModelMessage } from "ai";
import { draftedMessage, isDraft } from "../answer/answer-draft.js";
import { settledParts } from "../messages/settled-parts.js";
import { uiMessageIn } from "../messages/stored-message.js";

/** Under this key of an answer's metadata is what the model said, with all that its provider wants to see again. */
const CONTENT_KEY = "ai.content";

/** A part of what a model said in a step. */
export interface KeptPart {
  readonly type: "text" | "reasoning" | "file" | "tool-call" | "tool-result";
  readonly id?: string;
  text?: string;
  readonly data?: string;
  readonly mediaType?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly providerExecuted?: boolean;
  providerOptions?: Json;
}

/** What to keep about the answer that these parts are. */
export function keptContent(parts: readonly KeptPart[]): JsonObject {
  return { [CONTENT_KEY]: parts.map(({ id: _, ...part }) => jsonify(part)) };
}

/** A conversation as the SDK wants it, whoever wrote its messages. */
export async function modelHistory(messages: readonly Message[]): Promise<ModelMessage[]> {
  return (await Promise.all(resultsAfterCalls(messages).map(modelMessages))).flat();
}

async function modelMessages(message: Message): Promise<ModelMessage[]> {
  // What a chat was writing when its process died is a draft for as long as no chat goes on.
  const ui = isDraft(message) ? settledParts(await draftedMessage(message)) : uiMessageIn(message);
  if (ui !== undefined) return convertToModelMessages([ui], { ignoreIncompleteToolCalls: true });
  const { role, content } = message;
  const told = role === "assistant" ? spoken(message) : (content ?? textOf(message));
  const made: unknown = { role: role === "developer" ? "system" : role, content: told };
  return isModelMessage(made) && told.length > 0 ? [made] : [];
}

/** What the model said, as it said it. A call that is not among it was told before the rest was kept. */
function spoken(message: Message): string | readonly ContentPart[] {
  const kept = keptIn(message);
  const { content } = message;
  if (kept === undefined || !Array.isArray(content)) return kept ?? content ?? textOf(message);
  const parts: readonly ContentPart[] = content;
  const calls = parts.filter(({ type }) => type === "tool-call");
  const isTold = (id: unknown): boolean => calls.some((call) => call["toolCallId"] === id);
  const isKept = (id: unknown): boolean => kept.some((part) => part["toolCallId"] === id);
  return [
    ...kept.filter(
      (part) => part.type !== "tool-call" || part["providerExecuted"] === true || isTold(part["toolCallId"]),
    ),
    ...calls.filter((call) => !isKept(call["toolCallId"])),
  ];
}

function keptIn({ metadata }: Message): readonly ContentPart[] | undefined {
  const kept: unknown = metadata?.[CONTENT_KEY];
  return Array.isArray(kept) ? kept.filter(isPart) : undefined;
}

function isPart(value: unknown): value is ContentPart {
  return isFields(value) && typeof value["type"] === "string";
}

function isModelMessage(value: unknown): value is ModelMessage {
  return isFields(value) && ["system", "user", "assistant", "tool"].includes(String(value["role"]));
}
