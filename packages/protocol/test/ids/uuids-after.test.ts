import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uuidsAfter } from "../../src/ids/uuids-after.js";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const FIRST = "01a1e3c7-beea-72dc-9674-f201fdb2c981";

describe("uuidsAfter", () => {
  it("increments the UUID", () => {
    const later = uuidsAfter(FIRST);
    expect([1, 2, 0x7f].map((index) => later?.(index))).toEqual([
      "01a1e3c7-beea-72dc-9674-f201fdb2c982",
      "01a1e3c7-beea-72dc-9674-f201fdb2c983",
      "01a1e3c7-beea-72dc-9674-f201fdb2ca00",
    ]);
  });

  it("increments only the lowest 32 bits", () => {
    expect(uuidsAfter("01a1e3c7-beea-72dc-9674-f201ffffffff")?.(1)).toBe(
      "01a1e3c7-beea-72dc-9674-f20100000000",
    );
  });

  it("accepts exactly the lower-case UUIDv7s", () => {
    const spoilt = fc
      .tuple(fc.nat(35), fc.constantFrom(..."07x8bcfAFg-:/`é"))
      .map(([place, digit]) => FIRST.slice(0, place) + digit + FIRST.slice(place + 1));
    const texts = fc.oneof(fc.uuid({ version: 7 }), fc.uuid(), fc.string(), spoilt, fc.constant(`${FIRST}0`));
    fc.assert(
      fc.property(texts, (text) => {
        const later = uuidsAfter(text);
        expect(later !== undefined).toBe(UUID_V7.test(text));
        if (later !== undefined) expect(later(1)).toMatch(UUID_V7);
      }),
    );
  });
});
