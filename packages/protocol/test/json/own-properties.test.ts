import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { merged } from "../../src/json/own-properties.js";
import { json } from "./arbitrary-json.js";

function object(): fc.Arbitrary<object> {
  const key = fc.oneof(fc.string(), fc.constantFrom("id", "0", "__proto__"));
  return fc.dictionary(key, json(), { maxKeys: 5, noNullPrototype: true });
}

describe("merged", () => {
  it("equals an object of two spreads: keys, their order, and __proto__ as an ordinary key", () => {
    fc.assert(
      fc.property(object(), object(), (one, other) => {
        const both = merged(one, other);
        expect(Object.entries(both)).toEqual(Object.entries({ ...one, ...other }));
        expect(Object.getPrototypeOf(both)).toBe(Object.prototype);
      }),
    );
  });

  it("is a new object", () => {
    const one = { id: "a" };
    expect(merged(one, {})).not.toBe(one);
  });
});
