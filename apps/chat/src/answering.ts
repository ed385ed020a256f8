import type { Chat } from "./chat.js";
import { isInterruption } from "./is-interruption.js";

/** Has a turn run, with Ctrl-C to stop it. What was said until then is kept. */
export async function answering(chat: Chat, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  try {
    await chat.button.during(run);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    chat.screen.remark("Interrupted. What was said so far is kept; /undo takes it back, /retry asks again.");
  } finally {
    chat.screen.endAnswer();
  }
}
