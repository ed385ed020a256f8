import { expect, test } from "vitest";
import { Keys } from "../src/keys.js";
import { idOf, placeOf } from "../src/place.js";

const IDS = ["a", "user:1", "{a}", "a}{b", "%7b", "%", "{", "}", "é", "😀", "\uffff", "\ue000", "a\nb", "\0"];

test("distinct ids have distinct keys, each with one pair of braces, and lead back to the id", () => {
  const keys = new Keys("p");
  const names = IDS.map((id) => keys.session(id).session);
  expect(new Set(names).size).toBe(IDS.length);
  for (const name of names) expect(name.match(/[{}]/g)).toEqual(["{", "}"]);
  expect(names.map((name) => keys.sessionOf(name))).toEqual(IDS);
  expect(keys.sessionOf("p:{index-1}:entries")).toBeUndefined();
});

test("the bytes of places are in the order of JavaScript strings, and lead back to the id", () => {
  const ids = [...IDS, "b", "a😀", "a\uffff", "a\ud7ff", "z\ue000", "z\u{10000}"];
  const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(placeOf(a)), Buffer.from(placeOf(b))));
  expect(byBytes).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(ids.map((id) => idOf(placeOf(id)))).toEqual(ids);
});
