/** The audit's name in the log. */
export const AUDIT = "audit";
