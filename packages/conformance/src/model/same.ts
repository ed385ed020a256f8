import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** Throws unless both are the same. The quick comparison first: nearly always they are. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what).toEqual(expected);
}
