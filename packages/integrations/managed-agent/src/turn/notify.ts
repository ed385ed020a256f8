/**
 * Calls a callback of the user and does not wait for it. What it throws, or its promise rejects with, changes no outcome: it
 * goes to `onFailure`, or nowhere where the callback is itself the place to which failures are reported.
 */
export function notify(callback: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  // An async function also catches what the callback throws at once.
  (async () => callback())().catch(onFailure);
}
