/**
 * Calls a callback of the user that is only told something. What it throws, or its promise rejects with, goes to
 * `onFailure` and nowhere else: it changes no outcome.
 */
export function callSafely(call: () => unknown, onFailure: (error: unknown) => void): void {
  // An async function also catches what the callback throws at once.
  (async () => call())().catch(onFailure);
}
