import { append, count, type MessageInput } from "@sessions/protocol";
import type { Perform } from "../workload.js";

/** The user's message of a turn. */
export function questionOf(turnId: string): MessageInput {
  return { role: "user", content: turnId };
}

/** The assistant's message of a turn. */
export function answerTo(turnId: string): MessageInput {
  return { role: "assistant", content: `answer to ${turnId}` };
}

/** The id of the message that a turn streams into. */
export function draftIdOf(turnId: string): string {
  return `draft of ${turnId}`;
}

export const answerForever: Perform<"answer-forever"> = async ({ session, prefix }, { store, note }) => {
  for (let index = 0; ; index++) {
    const turnId = `${prefix}-${index}`;
    await store.runTurn(session, { turnId, select: "none", messages: questionOf(turnId) }, () => [
      append(answerTo(turnId)),
      count({ answers: 1 }),
    ]);
    note(turnId);
  }
};

export const streamForever: Perform<"stream-forever"> = async (
  { session, turnId, ttlMs },
  { store, note },
) => {
  const result = await store.runTurn(
    session,
    { turnId, ttlMs, messages: questionOf(turnId) },
    async (turn) => {
      const id = draftIdOf(turnId);
      await turn.append({ id, role: "assistant", content: "", status: "partial" });
      for (let word = 0; ; word++) {
        await turn.extend(id, { text: `${word} ` });
        note(word);
      }
    },
  );
  return result.status;
};
