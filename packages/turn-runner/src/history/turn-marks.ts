import type { Message, MessageInput } from "@sessions/protocol";
import type { Usage } from "../agent/agent-event.js";
import { isFields } from "../arguments/fields.js";

/** The metadata keys of a message that identify its turn. */
export const TURN_MARKS: readonly string[] = ["turnId", "prompt", "usage"];

/** Marks a message as written by a turn. */
export function markTurn(turnId: string, message: MessageInput): MessageInput {
  return { ...message, metadata: { ...metadataOf(message), turnId } };
}

/** Marks a message as the prompt of a turn. */
export function markPrompt(turnId: string, message: MessageInput): MessageInput {
  return { ...message, metadata: { ...metadataOf(message), turnId, prompt: true } };
}

/** The turn of a message; `undefined` if no turn wrote it. */
export function turnIdOf(message: Message): string | undefined {
  const turnId = message.metadata?.["turnId"];
  return typeof turnId === "string" ? turnId : undefined;
}

export function isPrompt(message: Message): boolean {
  return message.metadata?.["prompt"] === true;
}

/** The usage of a turn, from the message that carries it. */
export function usageOf(message: Message | undefined): Usage | undefined {
  const usage = message?.metadata?.["usage"];
  return isUsage(usage) ? usage : undefined;
}

function isUsage(value: unknown): value is Readonly<Record<string, number>> {
  return isFields(value) && Object.values(value).every((one) => typeof one === "number");
}

function metadataOf(message: MessageInput): object {
  return isFields(message.metadata) ? message.metadata : {};
}
