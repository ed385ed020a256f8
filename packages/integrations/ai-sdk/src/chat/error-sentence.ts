/** What a page is told of an error that nobody has said anything about. */
export const DEFAULT_SENTENCE = "An error occurred.";

/**
 * Tells `onError` of an error, and answers what the page is told. A callback that fails, or says no sentence, is as if there
 * were none: the error that it was told of is the one that counts.
 */
export function errorSentence(onError: (error: unknown) => unknown, error: unknown): string {
  try {
    const sentence = onError(error);
    if (typeof sentence === "string") return sentence;
    void Promise.allSettled([sentence]); // an async callback may be rejected when nobody waits for it
  } catch {
    // There is nobody left to tell.
  }
  return DEFAULT_SENTENCE;
}
