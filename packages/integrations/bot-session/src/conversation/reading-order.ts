import type { Message } from "@sessions/protocol";
import { isPrompt, turnIdOf } from "@sessions/turn-runner";
import { markOf } from "./settled-mark.js";

/**
 * Messages as a model should read them: each question right before its answer, and nothing between a tool call and its
 * result. In the store others may have spoken while a turn ran, or a question was answered late; what is stored stays
 * as it happened.
 */
export function inOrder(messages: readonly Message[]): readonly Message[] {
  const turns = new Map<string, Message[]>();
  for (const message of messages) {
    const turnId = turnOf(message);
    if (turnId !== undefined) turns.set(turnId, [...(turns.get(turnId) ?? []), message]);
  }
  // A turn stands where its answer begins: what was said before that, the model had read.
  const anchors = new Map(
    Array.from(turns.values(), (own) => [own.find((message) => !isPrompt(message)) ?? own[0], own]),
  );
  return messages.flatMap((message) =>
    turnOf(message) === undefined ? [message] : promptsFirst(anchors.get(message) ?? []),
  );
}

/** The turn that a message belongs to: the one that wrote it, or the one that answered it. */
function turnOf(message: Message): string | undefined {
  return markOf(message)?.turnId ?? turnIdOf(message);
}

function promptsFirst(messages: readonly Message[]): readonly Message[] {
  return [...messages.filter(isPrompt), ...messages.filter((message) => !isPrompt(message))];
}
