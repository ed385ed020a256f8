/** Marks the rejection of a promise that nobody awaits as handled: an unhandled one would end the process. */
export function ignoreRejection(value: unknown): void {
  Promise.resolve(value).catch(() => undefined);
}
