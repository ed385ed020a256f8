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

/** The key of an answer's metadata with the content of the model, including what its provider needs in later requests. */
const CONTENT_KEY = "ai.content";

/** A part of the content of a step. */
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

/** The metadata of an answer with these parts. */
export function keptContent(parts: readonly KeptPart[]): JsonObject {
  return { [CONTENT_KEY]: parts.map(({ id: _, ...part }) => jsonify(part)) };
}

/** A conversation as messages of the SDK, also if other programs wrote some of it. */
export async function modelHistory(messages: readonly Message[]): Promise<ModelMessage[]> {
  return (await Promise.all(resultsAfterCalls(messages).map(modelMessages))).flat();
}

async function modelMessages(message: Message): Promise<ModelMessage[]> {
  // The answer of a chat whose process died stays a draft until the chat continues.
  const ui = isDraft(message) ? settledParts(await draftedMessage(message)) : uiMessageIn(message);
  if (ui !== undefined) return convertToModelMessages([ui], { ignoreIncompleteToolCalls: true });
  const { role } = message;
  const content = role === "assistant" ? answerContent(message) : (message.content ?? textOf(message));
  const made: unknown = { role: role === "developer" ? "system" : role, content };
  return isModelMessage(made) && content.length > 0 ? [made] : [];
}

/** The content of the model, unchanged. A call that is not part of it was stored before the rest. */
function answerContent(message: Message): string | readonly ContentPart[] {
  const kept = keptIn(message);
  const { content } = message;
  if (kept === undefined || !Array.isArray(content)) return kept ?? content ?? textOf(message);
  const parts: readonly ContentPart[] = content;
  const calls = parts.filter(({ type }) => type === "tool-call");
  const isStored = (id: unknown): boolean => calls.some((call) => call["toolCallId"] === id);
  const isKept = (id: unknown): boolean => kept.some((part) => part["toolCallId"] === id);
  return [
    ...kept.filter(
      (part) =>
        part.type !== "tool-call" || part["providerExecuted"] === true || isStored(part["toolCallId"]),
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
