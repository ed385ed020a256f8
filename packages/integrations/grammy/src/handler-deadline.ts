import { SessionError, systemClock } from "@sessions/protocol";
import type { DeadlineOptions } from "@sessions/turn-runner";

/** The time that a function of the bot has; then TURN_LOST. */
export function handlerDeadline(deadlineMs: number): DeadlineOptions {
  const message = `The update was not handled within ${deadlineMs} ms. It may be delivered again.`;
  const error = (): SessionError => SessionError.of("TURN_LOST", message, { reason: "expired" });
  return { clock: systemClock, ms: deadlineMs, error };
}
