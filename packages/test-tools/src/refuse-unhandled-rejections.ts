import { afterEach, beforeEach, expect } from "vitest";

/** Fails a test of the file in which a rejected promise has no handler. If tests run side by side, it may be another of them that fails. */
export function refuseUnhandledRejections(): void {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => {
    unhandled.push(reason);
  };
  beforeEach(() => void process.on("unhandledRejection", listen));
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve)); // Node reports when the microtasks are done
    process.off("unhandledRejection", listen);
    // Counted only: printing a rejection reads its fields, and those of some errors here throw.
    expect(unhandled.splice(0).length).toBe(0);
  });
}
