import type { Json, JsonObject } from "@sessions/protocol";
import fc from "fast-check";
import { alternatingNest } from "../samples/nested-json.js";

const TEXTS: readonly string[] = [
  "",
  "hello",
  "\u0000",
  "a\u0000b",
  "\u2028\u2029",
  "\ud800",
  "\udc00 turned around",
  "\ufeff",
  "👩‍👩‍👧",
  "e\u0301",
  "é",
  "ÅÄÖ",
  "'; DROP TABLE messages; --",
  "%s %d {0} $1 \\1 \\u0000",
  '"\\"',
  "\r\n\t\u001b[0m",
  "#torn\n",
  "null",
  "[]",
  "x".repeat(1500),
];

const WELL_FORMED: readonly string[] = TEXTS.filter((text) => text.isWellFormed() && text !== "");

const KEYS: readonly string[] = [
  "a",
  "b",
  "__proto__",
  "constructor",
  "toString",
  "length",
  "",
  "1",
  "0",
  "a.b",
  "$",
  "id",
  "\u0000",
  "ß",
];

const VALUES: readonly Json[] = [
  0,
  -1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  0.1,
  1e308,
  5e-324,
  1e21,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [{}],
  [null],
  { "": "" },
  { a: [], b: {} },
  { b: 1, a: 2 },
  { "2": 1, "1": 2, b: 3, a: 4 },
  { constructor: { prototype: { x: 1 } } },
  { toJSON: "not a function" },
  alternatingNest(24, "deep"),
  // Parsed, because in a literal this key would set the prototype.
  ...['{"__proto__":{"polluted":true}}', '{"a":{"__proto__":[]},"hasOwnProperty":1}'].map(parsed),
];

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Any code point except surrogates. Building fast-check's own unit "binary" takes a second whenever the kit is loaded. */
const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((code) => String.fromCodePoint(code < FIRST_SURROGATE ? code : code + SURROGATES));

/** Any text, often an unusual one. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 8 }) },
);

/** Text for a label: well-formed Unicode. */
export const labelText: fc.Arbitrary<string> = fc.constantFrom(
  ...WELL_FORMED.filter((text) => text.length < 200),
);

/** Any key, often a property name of every object. */
export const hostileKey: fc.Arbitrary<string> = fc.constantFrom(...KEYS);

/** Any JSON value, often an unusual one. */
export const hostileJson: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Json>(...VALUES) },
  { weight: 3, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2, stringUnit: codePoint }).map(parsed) },
);

/** An object with a few such values. */
export const hostileObject: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(hostileKey, hostileJson), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

function parsed(text: string): Json {
  const value: Json = JSON.parse(text, (_key, part: Json) => (Object.is(part, -0) ? 0 : part));
  return value;
}
