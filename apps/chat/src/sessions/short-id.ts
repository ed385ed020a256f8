import { harmlessLine } from "../terminal/harmless.js";

const CHARACTERS = 13;

/**
 * Enough of a session's id to find it by. Generated ids begin with the time, to the millisecond within the first 13
 * characters.
 */
export const shortId = (sessionId: string): string => harmlessLine(sessionId.slice(0, CHARACTERS));
