/**
 * Tells something to a callback of the user, and does not wait. What the callback throws or rejects with changes nothing
 * and reaches nobody: it is itself the place where failures are reported.
 */
export function tell(callback: () => unknown): void {
  const called = async (): Promise<unknown> => await callback();
  called().catch(() => undefined);
}
