import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloneJson } from "../../src/json/clone-json.js";
import { equalJson } from "../../src/json/equal-json.js";
import type { Json } from "../../src/json/json.js";
import type { JsonLike } from "../../src/json/json-like.js";
import { json, withKeysReversed } from "./arbitrary-json.js";

describe("equalJson", () => {
  it("finds a copy equal, whatever the order of its keys", () => {
    fc.assert(
      fc.property(json(), (value) => {
        expect(equalJson(value, cloneJson(value, "value").value)).toBe(true);
        expect(equalJson(value, withKeysReversed(value))).toBe(true);
      }),
    );
  });

  it("agrees with JSON texts on whether two small values are equal", () => {
    const small = fc.constantFrom<Json>(null, 0, 1, "", "0", false, true, [], {}, [0], { "0": 0 }, [[]], {
      a: [],
    });
    const pair = fc.oneof(small, fc.array(small, { maxLength: 2 }), fc.record({ a: small, b: small }));
    fc.assert(
      fc.property(pair, pair, (a, b) => {
        expect(equalJson(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[JsonLike | undefined, JsonLike | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, null, false],
    [0, -0, true],
    [{ a: undefined }, {}, true],
    [{}, { a: undefined }, true],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: undefined, b: 1 }, { a: 1, b: 1 }, false],
    [{ a: 1, b: undefined }, { a: 1, b: 1 }, false],
    [{ a: null }, {}, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{}, [], false],
    ["1", 1, false],
  ])("of %o and %o is %s", (a, b, equal) => {
    expect(equalJson(a, b)).toBe(equal);
  });

  it("compares own keys only", () => {
    const proto: Json = JSON.parse('{"__proto__":{}}');
    expect(equalJson(proto, { a: {} })).toBe(false);
    expect(equalJson({ a: {} }, proto)).toBe(false);
    expect(equalJson(proto, JSON.parse('{"__proto__":{}}'))).toBe(true);
    expect(equalJson(proto, JSON.parse('{"__proto__":{"a":1}}'))).toBe(false);
    expect(equalJson(JSON.parse('{"toString":null}'), { a: null })).toBe(false);
  });

  it("does not read the properties of identical objects", () => {
    const list: Json[] = [];
    list.push(list);
    expect(equalJson({ list }, { list })).toBe(true);
  });
});
