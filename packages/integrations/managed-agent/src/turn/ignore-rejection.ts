/** For what a function of the user returned and nobody will wait for: if it is a promise, its failure is not unhandled. */
export function ignoreRejection(value: unknown): void {
  Promise.resolve(value).catch(() => undefined);
}
