import { SessionError } from "@sessions/json-file";

/** Whether a turn ended because somebody stopped it: this user, or another process through the store. */
export const isInterruption = (error: unknown): boolean =>
  SessionError.is(error, "TURN_LOST") && error.reason === "interrupted";
