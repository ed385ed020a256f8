import { SessionError, type Turn } from "@sessions/protocol";

/**
 * Whether a turn has lost its session, by the turn's signal. A turn that was only asked to stop (reason "interrupted") still holds
 * the session and must end itself.
 */
export function isLost(signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return !(SessionError.is(signal.reason, "TURN_LOST") && signal.reason.reason === "interrupted");
}

/** A signal that aborts when the turn has lost its session, and not when it is only asked to stop. */
export function lossSignal({ signal }: Turn): AbortSignal {
  const loss = new AbortController();
  const look = (): void => {
    if (isLost(signal)) loss.abort(signal.reason);
  };
  look();
  signal.addEventListener("abort", look, { once: true });
  return loss.signal;
}

/** The error of a turn that was stopped on request of its caller. */
export function interruption(sessionId: string, turnId: string): SessionError {
  return SessionError.of("TURN_LOST", `Turn "${turnId}" was interrupted. What it had answered is stored.`, {
    sessionId,
    turnId,
    reason: "interrupted",
  });
}
