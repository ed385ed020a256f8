import { SessionError } from "./session-error.js";

export function sessionNotFound(sessionId: string): SessionError {
  return SessionError.of("SESSION_NOT_FOUND", `There is no session "${sessionId}".`, { sessionId });
}
