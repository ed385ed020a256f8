import type { Chat } from "./chat.js";
import { isInterruption } from "./is-interruption.js";

/** Runs a turn that Ctrl-C stops. The answer so far is kept. */
export async function answering(chat: Chat, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  try {
    await chat.button.during((signal) =>
      run(signal).catch((error: unknown) => tellStop(chat, error, signal)),
    );
  } finally {
    chat.screen.endAnswer();
  }
}

/** Only the abort reason itself means that the turn was stopped and stored. Any other error is a failure, even after Ctrl-C. */
function tellStop({ screen }: Chat, error: unknown, signal: AbortSignal): void {
  const byUser = signal.aborted && error === signal.reason;
  if (!byUser && !isInterruption(error)) throw error;
  screen.remark("Interrupted. What was said so far is kept; /undo takes it back, /retry asks again.");
}
