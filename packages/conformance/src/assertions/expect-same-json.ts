import { expect } from "vitest";

/**
 * The same JSON text: key order, empty arrays against empty objects, `__proto__` keys and lone surrogates count,
 * none of which a structural comparison sees.
 */
export function expectSameJson(actual: unknown, expected: unknown): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
}
