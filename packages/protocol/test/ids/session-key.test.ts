import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../src/index.js";

/** Short strings of the characters that a key gives a meaning to, so that collisions would be found, and any others. */
const part = fc.oneof(
  fc
    .array(fc.constantFrom("a", ":", "%", "2", "5", "3", "A", "é", "e\u0301"), { maxLength: 4 })
    .map((all) => all.join("")),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => text.isWellFormed()),
);
const parts = fc.array(part, { minLength: 1, maxLength: 4 });

const keyOf = ([first = "", ...rest]: readonly string[]): string => sessionKey(first, ...rest);

/** The parts that a key was made of. */
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

  it("keeps a user out of the chats of another whose name begins alike", () => {
    expect(sessionKey("ann", "x:1")).not.toBe(sessionKey("ann:x", "1"));
    expect(sessionKey("ann", "")).not.toBe(sessionKey("ann"));
    expect(sessionKey("", "ann")).not.toBe(sessionKey("ann", ""));
    expect(sessionKey("a%3Ab")).not.toBe(sessionKey("a:b"));
    expect(sessionKey("%")).not.toBe(sessionKey(""));
  });

  it("gives the parts back, so that no two lists of parts have the same key", () => {
    fc.assert(
      fc.property(parts, (given) => void expect(partsOf(keyOf(given))).toEqual(given)),
      { numRuns: 2000 },
    );
  });

  it("tells any two lists of parts apart", () => {
    const different = fc.tuple(parts, parts).filter(([a, b]) => JSON.stringify(a) !== JSON.stringify(b));
    fc.assert(
      fc.property(different, ([a, b]) => void expect(keyOf(a)).not.toBe(keyOf(b))),
      { numRuns: 2000 },
    );
  });

  it("refuses what would not be told apart, or cannot be an id", () => {
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
