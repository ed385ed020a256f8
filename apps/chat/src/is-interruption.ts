import { SessionError } from "@sessions/json-file";

/** Whether a turn ended because another process asked it to, through the store. */
export const isInterruption = (error: unknown): boolean =>
  SessionError.is(error, "TURN_LOST") && error.reason === "interrupted";
