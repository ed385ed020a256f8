import type { Json } from "@sessions/protocol";
import { alternatingNest, cyclicObject } from "./nested-json.js";

/** Texts that stores have been known to change, truncate or reject. */
export const hostileTexts: Readonly<Record<string, string>> = {
  "a NUL": "a\u0000b",
  "a lone high surrogate": "a\ud83d",
  "a lone low surrogate": "\ude00b",
  "swapped surrogates": "\ude00\ud83d",
  "an emoji with modifiers": "👩🏽‍🚀",
  "line and paragraph separators": "a\u2028b\u2029c",
  "line ends of every kind": "a\r\nb\nc\rd",
  "composed and decomposed letters": "é e\u0301",
  "a byte order mark": "\ufeffx\ufffe",
  noncharacters: "\uffff\ufdd0",
  "right-to-left marks": "\u202eabc\u202c",
  "quotes and backslashes": `"'\\\`\${x}`,
  "what looks like JSON": '{"a":1}',
  "what looks like markup": "<script>alert(1)</script>",
  "what looks like SQL": "'); DROP TABLE sessions; --",
  "what looks like a journal's own marks": '#torn\n{"o":0}',
  nothing: "",
  "spaces around": "  x\t\n",
  "64 KiB": "x".repeat(65_536),
};

/** JSON values that stores have been known to change. Parsed, so that `__proto__` is a key and not a prototype. */
export const hostileValues: Readonly<Record<string, Json>> = {
  "the largest integer": Number.MAX_SAFE_INTEGER,
  "the smallest integer": Number.MIN_SAFE_INTEGER,
  "a large float": 1e21,
  "a tiny float": 5e-324,
  "a common float": 0.1,
  zero: 0,
  false: false,
  "an empty array": [],
  "an empty object": {},
  "empty things in each other": [[], {}, { a: [], b: {} }],
  "nulls inside": { a: null, b: [null] },
  "keys out of order": parsed('{"z":1,"a":2,"m":{"y":1,"b":2}}'),
  "a __proto__ key": parsed('{"__proto__":{"polluted":true},"a":1}'),
  "keys of Object's own": parsed('{"constructor":1,"toString":[],"hasOwnProperty":{}}'),
  "an empty key": parsed('{"":1," ":2}'),
  "keys with dots and brackets": parsed('{"a.b":1,"a[0]":2,"$ref":3}'),
  "a key with a NUL": parsed('{"a\\u0000b":1}'),
  "a deep nest": alternatingNest(60, "bottom"),
  "an array of many kinds": [1, "1", true, "true", null, "null", [], "[]"],
};

/** Values that are not JSON. */
export const notJson: readonly (readonly [what: string, value: unknown])[] = [
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["a BigInt", 10n],
  ["a function", () => 1],
  ["a symbol", Symbol("s")],
  ["a Date", new Date(0)],
  ["a Map", new Map([["a", 1]])],
  ["a Set", new Set([1])],
  ["bytes", new Uint8Array([1, 2])],
  ["undefined in an array", undefined],
  ["a cycle", cyclicObject()],
];

function parsed(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}
