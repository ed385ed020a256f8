import { stripControlsLine } from "../terminal/strip-controls.js";

const CHARACTERS = 13;

/**
 * The beginning of a session id, long enough to find the session. The first 13 characters of a generated id are its time in
 * milliseconds.
 */
export const shortId = (sessionId: string): string => stripControlsLine(sessionId.slice(0, CHARACTERS));
