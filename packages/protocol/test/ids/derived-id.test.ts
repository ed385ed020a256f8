import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derivedId } from "../../src/ids/derived-id.js";
import { anyText } from "../json/arbitrary-json.js";

describe("derivedId", () => {
  it("is a UUID of version 8", () => {
    fc.assert(
      fc.property(anyText(), fc.nat(), (seed, index) => {
        expect(derivedId(seed, index)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  // A commit that is sent again must generate the same ids as under an earlier version.
  it.each([
    ["", 0, "cf04e072-97d6-891c-aa15-860e9b094f37"],
    ["commit", 1, "8a275857-7217-842a-a89d-95011e35d83b"],
    ["\ud800/1/x", 12, "96a276ed-0fd8-85b4-980e-a4130b0630da"],
  ])("of %j and %i is what it always was", (seed, index, id) => {
    expect(derivedId(seed, index)).toBe(id);
  });

  it("differs for every seed and index, even if their concatenations are equal", () => {
    const pairs: [string, number][] = [];
    for (const seed of ["", "1", "1/", "/1", "1/1", "11", "id/1/", "a", "a1"]) {
      for (const index of [0, 1, 11, 111, 10, 2 ** 40]) pairs.push([seed, index]);
    }
    expect(new Set(pairs.map(([seed, index]) => derivedId(seed, index))).size).toBe(pairs.length);
  });
});
