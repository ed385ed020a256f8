import fc from "fast-check";
import type { Json } from "../../src/json/json.js";
import { isJsonArray } from "../../src/json/json-like.js";

/** Any sequence of UTF-16 units, lone surrogates included. */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  return fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength });
}

/** Any JSON value, including unusual keys and lone surrogates. */
export function json(): fc.Arbitrary<Json> {
  const text = fc.oneof(fc.string(), anyText(), fc.constantFrom("__proto__", "\ud800", "0", "10"));
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const tree = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      fc.oneof(text, fc.boolean(), fc.constant(null), number),
      fc.array(tie("value"), { maxLength: 6 }),
      fc.dictionary(text, tie("value"), { maxKeys: 6, noNullPrototype: true }),
    ),
  }));
  return tree.value;
}

/** The same value with the keys of its objects in reverse order. */
export function withKeysReversed(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isJsonArray(value)) return value.map(withKeysReversed);
  const entries = Object.entries(value).map(([key, property]) => [key, withKeysReversed(property)] as const);
  return Object.fromEntries(entries.reverse());
}
