/** Errors that no user can do anything about. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/** An error for people: what it says, and where it comes from only if it is a mistake in the program. */
export function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return MISTAKES.some((mistake) => error instanceof mistake)
    ? (error.stack ?? error.message)
    : error.message;
}
