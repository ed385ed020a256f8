/** Errors that the user cannot act on. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/** The message of an error, with its stack only if it is a bug. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return MISTAKES.some((mistake) => error instanceof mistake)
    ? (error.stack ?? error.message)
    : error.message;
}
