import { afterEach, beforeEach, expect } from "vitest";

/** Fails a test during which a rejected promise has no handler. Of concurrent tests, another one may fail. */
export function refuseUnhandledRejections(): void {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => {
    unhandled.push(reason);
  };
  beforeEach(() => void process.on("unhandledRejection", listen));
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve)); // Node reports after the microtasks
    process.off("unhandledRejection", listen);
    // Compares only the count: printing a rejection reads its fields, which throw in some errors here.
    expect(unhandled.splice(0).length).toBe(0);
  });
}
