/**
 * Calls a callback of the user and does not wait for it. What it throws, or its promise rejects with, changes no outcome: it
 * goes to `onFailure`, or nowhere if the callback is itself the place where failures are reported.
 */
export function notify(callback: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  // An async function also catches what the callback throws synchronously.
  (async () => callback())().catch(onFailure);
}
