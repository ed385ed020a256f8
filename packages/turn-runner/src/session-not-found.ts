import { SessionError } from "@sessions/protocol";

export function sessionNotFound(sessionId: string): SessionError {
  return SessionError.of("SESSION_NOT_FOUND", `There is no session "${sessionId}".`, { sessionId });
}
