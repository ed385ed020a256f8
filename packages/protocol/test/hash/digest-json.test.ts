import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestJson } from "../../src/hash/digest-json.js";
import { cloneJson } from "../../src/json/clone-json.js";
import type { JsonLike } from "../../src/json/json-like.js";
import { json, withKeysReversed } from "../json/arbitrary-json.js";

describe("digestJson", () => {
  // Digests are stored. If this fails, data of earlier versions is no longer recognized.
  it.each<[JsonLike, string]>([
    [null, "84f5767d15cfa14b73716d004a97e608"],
    [false, "afc17869ded167cabfc42bf35b7c6b8f"],
    [true, "8fa069df8628d6cbcc9c6074e7b1476e"],
    [0, "af384dd6f9c3d13e6d2fe3fc56b4028a"],
    [-1.5, "d5c956759be11accb2a77a6e495fb8c7"],
    ["", "a0307c4ef7813dd8e865231641b9f65d"],
    ["text", "4c1fc2804e3dfce5778e91a7e552752b"],
    ["\ud800 漢 😀", "1dbcbb5dbdf9a52cc0718fd9eaf5ba00"],
    [[], "ac7468a79f42ff32db8da64321885409"],
    [{}, "2d0bf50b8646b2bc37638762cdfbde43"],
    [{ b: [1, "1", null], a: { "10": true, "9": false } }, "07f5589dfa0de4ada91d18c180544fe2"],
  ])("of %j is what it always was", (value, digest) => {
    expect(digestJson(value)).toBe(digest);
  });

  it("is equal for equal values, whatever the order of their keys", () => {
    fc.assert(
      fc.property(json(), (value) => {
        const digest = digestJson(value);
        expect(digest).toMatch(/^[0-9a-f]{32}$/);
        expect(digestJson(cloneJson(value, "value").value)).toBe(digest);
        expect(digestJson(withKeysReversed(value))).toBe(digest);
      }),
    );
  });

  it("treats -0 as 0, and properties that are undefined as absent", () => {
    expect(digestJson(-0)).toBe(digestJson(0));
    expect(digestJson({ a: undefined, b: 1 })).toBe(digestJson({ b: 1 }));
  });

  it("sorts keys by code unit, in no locale's order", () => {
    const keys = ["b", "a", "B", "é", "10", "9", "\uffff", "😀", ""];
    const forth = Object.fromEntries(keys.map((key) => [key, key]));
    const back = Object.fromEntries(keys.reverse().map((key) => [key, key]));
    expect(digestJson(forth)).toBe(digestJson(back));
  });

  it("differs for values that look alike", () => {
    const alike: JsonLike[] = [
      [
        1,
        "1",
        [1],
        ["1"],
        true,
        "true",
        null,
        "null",
        0,
        false,
        "",
        [],
        {},
        [[]],
        [{}],
        [null],
        [0],
        [[], []],
      ],
      [["a", "b"], ["ab"], ["", "ab"], ["ab", ""], "ab", ["a", ["b"]], [["a"], "b"], [["a", "b"]], "ba"],
      [
        { a: "b" },
        { ab: "" },
        { "": "ab" },
        ["a", "b", 0],
        { a: {} },
        { a: [] },
        { a: null },
        { a: 1, b: 2 },
      ],
      [
        { a: 2, b: 1 },
        { a: { b: 1 } },
        { b: { a: 1 } },
        [{ a: 1 }, { b: 2 }],
        "a\0",
        "a",
        "a\0\0",
        "\0",
        "\0\0",
      ],
      [2 ** 53, 2 ** 53 - 1, 0.1, 0.1 + 2 ** -56, 5e-324, "\ud800", "\udc00", "\ufffd", "é", "e\u0301"],
    ].flat();
    expect(new Set(alike.map(digestJson)).size).toBe(alike.length);
  });
});
