import type { Message, MessageInput } from "@sessions/protocol";
import type { Usage } from "../agent-event.js";
import { isRecord } from "../argument.js";

/** Marks a message as one that a turn wrote. */
export function ofTurn(turnId: string, message: MessageInput): MessageInput {
  return { ...message, metadata: { ...metadataOf(message), turnId } };
}

/** Marks a message as what a turn was asked. */
export function promptOf(turnId: string, message: MessageInput): MessageInput {
  return { ...message, metadata: { ...metadataOf(message), turnId, prompt: true } };
}

/** The turn that wrote a message; `undefined` if none of an agent did. */
export function turnIdOf(message: Message): string | undefined {
  const turnId = message.metadata?.["turnId"];
  return typeof turnId === "string" ? turnId : undefined;
}

export function isPrompt(message: Message): boolean {
  return message.metadata?.["prompt"] === true;
}

/** What the turn has used, on the message that says so. */
export function usageOf(message: Message | undefined): Usage | undefined {
  const usage = message?.metadata?.["usage"];
  return isUsage(usage) ? usage : undefined;
}

function isUsage(value: unknown): value is Readonly<Record<string, number>> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === "number");
}

function metadataOf(message: MessageInput): object {
  return isRecord(message.metadata) ? message.metadata : {};
}
