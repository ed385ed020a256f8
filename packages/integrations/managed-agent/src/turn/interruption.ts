import { SessionError } from "@sessions/protocol";

/** What the caller of a turn gets that was stopped by `interrupt()` or because its consumer left. */
export function interruption(sessionId: string, turnId: string): SessionError {
  return SessionError.of("TURN_LOST", `Turn "${turnId}" was interrupted. What it had answered is stored.`, {
    sessionId,
    turnId,
    reason: "interrupted",
  });
}

/** Whether a turn that stops for this reason is still held, and may write its last words. */
export function isHeld(signal: AbortSignal): boolean {
  if (!signal.aborted) return true;
  return SessionError.is(signal.reason, "TURN_LOST") && signal.reason.reason === "interrupted";
}
