import type { Message } from "@sessions/protocol";
import { isPrompt, turnIdOf } from "@sessions/turn-runner";
import { settledMark } from "./settled-mark.js";

/**
 * Messages in the order in which a model should read them: each prompt right before its answer, and nothing between a tool call and
 * its result. The store keeps the order of arrival: others may speak while a turn runs, and a prompt may be answered late.
 */
export function readingOrder(messages: readonly Message[]): readonly Message[] {
  const turns = new Map<string, Message[]>();
  for (const message of messages) {
    const turnId = turnOf(message);
    if (turnId !== undefined) turns.set(turnId, [...(turns.get(turnId) ?? []), message]);
  }
  // A turn is placed where its answer begins: the model had read what came before that.
  const anchors = new Map(
    Array.from(turns.values(), (own) => [own.find((message) => !isPrompt(message)) ?? own[0], own]),
  );
  return messages.flatMap((message) =>
    turnOf(message) === undefined ? [message] : promptsFirst(anchors.get(message) ?? []),
  );
}

/** The turn of a message: the one that wrote it, or the one that answered it. */
function turnOf(message: Message): string | undefined {
  return settledMark(message)?.turnId ?? turnIdOf(message);
}

function promptsFirst(messages: readonly Message[]): readonly Message[] {
  return [...messages.filter(isPrompt), ...messages.filter((message) => !isPrompt(message))];
}
