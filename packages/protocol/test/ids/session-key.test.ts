import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../src/index.js";

/** Short strings of the characters that have a meaning in keys, to provoke collisions, and any other strings. */
const part = fc.oneof(
  fc
    .array(fc.constantFrom("a", ":", "%", "2", "5", "3", "A", "é", "e\u0301"), { maxLength: 4 })
    .map((all) => all.join("")),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => text.isWellFormed()),
);
const parts = fc.array(part, { minLength: 1, maxLength: 4 });

const keyOf = ([first = "", ...rest]: readonly string[]): string => sessionKey(first, ...rest);

/** The parts of a key. */
function partsOf(key: string): readonly string[] {
  return key.split(":").map((one) => (one === "%" ? "" : unescaped(one)));
}

function unescaped(text: string): string {
  return text.replaceAll("%3A", ":").replaceAll("%25", "%");
}

describe("sessionKey", () => {
  it("leaves simple parts readable", () => {
    expect(sessionKey("ann", "chat-1")).toBe("ann:chat-1");
    expect(sessionKey("user-42")).toBe("user-42");
  });

  it("keeps the chats of users apart whose names begin alike", () => {
    expect(sessionKey("ann", "x:1")).not.toBe(sessionKey("ann:x", "1"));
    expect(sessionKey("ann", "")).not.toBe(sessionKey("ann"));
    expect(sessionKey("", "ann")).not.toBe(sessionKey("ann", ""));
    expect(sessionKey("a%3Ab")).not.toBe(sessionKey("a:b"));
    expect(sessionKey("%")).not.toBe(sessionKey(""));
  });

  it("can be split into its parts again, so no two lists of parts have the same key", () => {
    fc.assert(
      fc.property(parts, (given) => void expect(partsOf(keyOf(given))).toEqual(given)),
      { numRuns: 2000 },
    );
  });

  it("differs for any two different lists of parts", () => {
    const different = fc.tuple(parts, parts).filter(([a, b]) => JSON.stringify(a) !== JSON.stringify(b));
    fc.assert(
      fc.property(different, ([a, b]) => void expect(keyOf(a)).not.toBe(keyOf(b))),
      { numRuns: 2000 },
    );
  });

  it("refuses parts that would be ambiguous or cannot be in an id", () => {
    const refusal = (code: string, path: string) => expect.objectContaining({ code, path });
    const misused: (...given: readonly unknown[]) => unknown = (...given) =>
      Reflect.apply(sessionKey, undefined, given);
    expect(() => misused()).toThrow(refusal("INVALID_ARGUMENT", "parts"));
    for (const one of [1, null, undefined, {}, ["a"]])
      expect(() => misused("ann", one)).toThrow(refusal("INVALID_ARGUMENT", "parts[1]"));
    expect(() => sessionKey("\ud800")).toThrow(refusal("INVALID_ARGUMENT", "parts[0]"));
    expect(sessionKey("a".repeat(255), "b".repeat(256))).toHaveLength(512);
    expect(() => sessionKey("a".repeat(256), "b".repeat(256))).toThrow(refusal("TOO_LARGE", "sessionKey"));
  });
});
