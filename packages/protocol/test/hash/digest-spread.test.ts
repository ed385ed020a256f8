import { describe, expect, it } from "vitest";
import { digestText } from "../../src/hash/digest.js";
import { digestJson } from "../../src/hash/digest-json.js";
import type { JsonLike } from "../../src/json/json-like.js";

/** 200 000 similar values: numbers, texts with a common start, rows, records, nested lists. */
function* similarValues(): Generator<JsonLike> {
  for (let index = 0; index < 40_000; index++) {
    yield index;
    yield `message ${index}`;
    yield [index % 200, Math.floor(index / 200)];
    yield { id: `m${index % 100}`, role: "user", content: "x".repeat(Math.floor(index / 100)) };
    yield Array.from({ length: 16 }, (_, bit) => [(index >> bit) & 1]);
  }
}

/** The bits in which two digests differ. */
function differingBits(a: string, b: string): number {
  const bits = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  return bits.toString(2).replaceAll("0", "").length;
}

describe("digests", () => {
  it("do not collide over 200 000 similar values, not even in a half", () => {
    const digests = Array.from(similarValues(), digestJson);
    expect(digests).toHaveLength(200_000);
    for (const [from, to] of [
      [0, 16],
      [16, 32],
      [8, 24],
    ]) {
      expect(new Set(digests.map((digest) => digest.slice(from, to))).size).toBe(digests.length);
    }
  });

  it("collide in each 32-bit quarter no more often than chance would have it", () => {
    const digests = Array.from(similarValues(), digestJson);
    for (const from of [0, 8, 16, 24]) {
      const distinct = new Set(digests.map((digest) => digest.slice(from, from + 8))).size;
      // The expected number of collisions is 4.7 for 200 000 values.
      expect(digests.length - distinct).toBeLessThan(20);
    }
  });

  it.each([1, 2, 7, 8, 9, 40, 300])(
    "change in about half of their bits with one bit of a text of %i",
    (length) => {
      const text = "The quick brown fox. ".repeat(20).slice(0, length);
      const original = digestText(text);
      const changes: number[] = [];
      for (let index = 0; index < length; index++) {
        for (let bit = 0; bit < 16; bit++) {
          const unit = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
          changes.push(
            differingBits(original, digestText(text.slice(0, index) + unit + text.slice(index + 1))),
          );
        }
      }
      const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
      expect(Math.abs(mean - 64)).toBeLessThan(6);
      expect(Math.min(...changes)).toBeGreaterThan(30);
    },
  );
});
