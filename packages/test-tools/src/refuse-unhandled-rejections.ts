import { afterEach, beforeEach, expect } from "vitest";

/** Fails every test of a file in which a rejected promise has no handler. */
export function refuseUnhandledRejections(): void {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => {
    unhandled.push(reason);
  };
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", listen);
  });
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve)); // Node reports when the microtasks are done
    process.off("unhandledRejection", listen);
    expect(unhandled.length).toBe(0);
  });
}
