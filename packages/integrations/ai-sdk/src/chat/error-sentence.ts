import { ignoreRejection } from "@sessions/turn-runner";

/** What a page sees of an error by default. */
export const DEFAULT_SENTENCE = "An error occurred.";

/** Passes an error to `onError` and returns the sentence for the page; the default one if the callback fails or returns none. */
export function errorSentence(onError: (error: unknown) => unknown, error: unknown): string {
  try {
    const sentence = onError(error);
    if (typeof sentence === "string") return sentence;
    ignoreRejection(sentence); // it may be the promise of an async callback
  } catch {
    // `onError` is itself the place where errors are reported: the first error counts.
  }
  return DEFAULT_SENTENCE;
}
