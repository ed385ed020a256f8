import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUuidV7 } from "../../src/ids/uuid-v7.js";

const PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function random(bytes: Uint8Array): Uint8Array {
  return randomBytes(bytes.length);
}

function filledWith(byte: number): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => bytes.fill(byte);
}

function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

function take(source: { next(): string }, count: number): string[] {
  return Array.from({ length: count }, () => source.next());
}

describe("createUuidV7", () => {
  it("makes UUIDs of version 7 with the time of the clock", () => {
    const id = createUuidV7(() => 1_645_557_742_000.9, random).next();
    expect(id).toMatch(PATTERN);
    // The time of the example in RFC 9562, appendix A.6.
    expect(id.startsWith("017f22e2-79b0-7")).toBe(true);
  });

  it("makes increasing ids, even if the clock goes back", () => {
    const reading = fc.oneof(fc.nat(5), fc.nat(2 ** 47), fc.constantFrom(-1, Number.NaN, 0.5, 2 ** 60));
    fc.assert(
      fc.property(fc.array(reading, { minLength: 2, maxLength: 50 }), (readings) => {
        const clock = readings.values();
        const source = createUuidV7(() => clock.next().value ?? 0, random);
        const ids = take(source, readings.length);
        expect(ids).toEqual([...new Set(ids)].sort());
        expect(ids.every((id) => PATTERN.test(id))).toBe(true);
      }),
    );
  });

  it("makes 100 000 increasing ids within one millisecond, with its time or nearly so", () => {
    const ids = take(
      createUuidV7(() => 1000, random),
      100_000,
    );
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(timeOf(ids.at(-1) ?? "")).toBeLessThanOrEqual(1001);
  });

  it("continues from the latest time when the clock goes back, and with the clock when it catches up", () => {
    const clock = [5000, 100, 5001, 7000].values();
    const ids = take(
      createUuidV7(() => clock.next().value ?? 0, random),
      4,
    );
    expect(ids.map(timeOf)).toEqual([5000, 5000, 5001, 7000]);
  });

  it("carries into the time when the counter is exhausted", () => {
    // With these bytes the counter starts at its maximum.
    const ids = take(
      createUuidV7(() => 1000, filledWith(0xff)),
      4,
    );
    expect(ids.map(timeOf)).toEqual([1000, 1001, 1002, 1003]);
    expect(ids.every((id) => PATTERN.test(id))).toBe(true);
  });

  it("draws random bytes many at a time, uses each once, and none before the first id", () => {
    let draws = 0;
    const counting = (bytes: Uint8Array): Uint8Array => {
      draws++;
      return bytes.map((_, index) => index >> 1);
    };
    const source = createUuidV7(() => 1000, counting);
    expect(draws).toBe(0);
    const tails = take(source, 80).map((id) => id.slice(-12));
    expect(draws).toBe(1);
    expect(new Set(tails).size).toBe(80);
    take(source, 100);
    expect(draws).toBe(2);
  });

  it("works again after the random source failed", () => {
    let fail = true;
    const source = createUuidV7(
      () => 1000,
      (bytes) => {
        if (fail) throw new Error("no entropy");
        return random(bytes);
      },
    );
    expect(() => source.next()).toThrow("no entropy");
    fail = false;
    expect(source.next()).toMatch(PATTERN);
  });
});
