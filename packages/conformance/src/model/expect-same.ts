import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** Throws unless both are deeply equal. `expect` is slow, so it is called only for a difference. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what).toEqual(expected);
}
