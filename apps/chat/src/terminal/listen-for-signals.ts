import { constants } from "node:os";
import type { StopButton } from "./stop-button.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npm forwards a signal that this process gets from the terminal too. Two signals within this time count as one. */
const ECHO_MS = 250;

/**
 * A signal stops the answer, which is kept, and ends the chat with the exit code of the signal. At a terminal, the chat goes on
 * after a SIGINT.
 */
export function listenForSignals(button: StopButton, interactive: boolean): void {
  for (const signal of SIGNALS) {
    process.on(
      signal,
      unlessEcho(() => {
        if (interactive && signal === "SIGINT") return button.press();
        process.exitCode = 128 + constants.signals[signal];
        button.leave();
      }),
    );
  }
}

function unlessEcho(act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const echo = now - last < ECHO_MS;
    last = now;
    if (!echo) act();
  };
}
