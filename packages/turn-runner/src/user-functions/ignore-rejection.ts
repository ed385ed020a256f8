/** Marks the rejection of a promise that is not awaited as handled, because an unhandled one would end the process. */
export function ignoreRejection(value: unknown): void {
  Promise.resolve(value).catch(() => undefined);
}
