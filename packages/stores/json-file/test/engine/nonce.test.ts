import { expect, test } from "vitest";
import { nonce } from "../../src/engine/nonce.js";

test("a nonce has the length that was asked for and never repeats, however many are drawn", () => {
  // Seven and eight: the stock is never used up exactly.
  const drawn = Array.from({ length: 3_000 }, () => [nonce(7), nonce(8)]).flat();
  expect(drawn.filter((digits, index) => digits.length !== (index % 2 === 0 ? 14 : 16))).toEqual([]);
  expect(drawn.filter((digits) => !/^[0-9a-f]+$/.test(digits))).toEqual([]);
  expect(new Set(drawn).size).toBe(6_000);
});
