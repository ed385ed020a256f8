import { expect } from "vitest";

/**
 * Expects the same JSON text. Unlike a structural comparison this finds differences in key order, `__proto__` keys and
 * lone surrogates, and an empty array in place of an empty object.
 */
export function expectSameJson(actual: unknown, expected: unknown): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
}
