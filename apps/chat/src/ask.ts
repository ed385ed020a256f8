import { randomUUID } from "node:crypto";
import { SessionError } from "@sessions/json-file";
import { answering } from "./answering.js";
import type { Chat } from "./chat.js";
import { useModel } from "./model/use-model.js";
import { putInOrder } from "./recovery/put-in-order.js";
import { nameSession } from "./sessions/name-session.js";
import { showEvent } from "./show-event.js";
import { errorText } from "./terminal/error-text.js";
import { UsageError } from "./usage-error.js";

/** Sends a message and shows the answer as it comes. */
export async function ask(chat: Chat, prompt: string): Promise<void> {
  await useModel(chat);
  await askWhenFree(chat, prompt, randomUUID()).catch(failed);
  await nameSession(chat.store, chat.agent.sessionId);
}

/** Says that the prompt is stored, so that the user does not send it again. */
function failed(error: unknown): never {
  if (error instanceof UsageError) throw error;
  throw new Error(`${errorText(error)}\n/retry asks again; /undo takes the question back.`, { cause: error });
}

/** If another process answers in the same conversation, waits for its answer first. */
async function askWhenFree(chat: Chat, prompt: string, turnId: string): Promise<void> {
  try {
    await answering(chat, (signal) => streamAnswer(chat, prompt, { turnId, signal }));
  } catch (error) {
    if (!SessionError.is(error, "TURN_BUSY")) throw error;
    if (!(await putInOrder(chat, await chat.agent.resume(chat.agent.sessionId))))
      throw new UsageError("Your message was not sent: another answer in this conversation has not ended.", {
        cause: error,
      });
    await askWhenFree(chat, prompt, turnId);
  }
}

async function streamAnswer(
  { agent, screen }: Chat,
  prompt: string,
  options: { readonly turnId: string; readonly signal: AbortSignal },
): Promise<void> {
  const stream = agent.stream(prompt, options);
  for await (const event of stream) showEvent(event, screen);
  // The text was shown before, but only this means that it is stored.
  await stream.result;
}
