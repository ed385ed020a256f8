/** An id that no message, archive, snapshot or session of a sequence has. */
export const UNKNOWN_ID = "unknown-id";
