import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Digest, digestText } from "../../src/hash/digest.js";
import { anyText } from "../json/arbitrary-json.js";

/** The bytes of an ASCII text as words, the first byte lowest. */
function words(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getInt32(index * 4, true));
}

describe("digestText", () => {
  // Digests are stored. If this fails, data of earlier versions is no longer recognized.
  it.each([
    ["", "84f5767d15cfa14b73716d004a97e608"],
    ["a", "a4aec7e1be5b48d4bab414a3b5e136c8"],
    ["0198c1f2-0000-7abc-8def-0123456789ab", "286c6f5deefd70a071168fe91913ab1b"],
    ["\ud800\0漢😀", "2b98f121445b115396c1717d1776b5f5"],
    ["x".repeat(1000), "37255112d4f1b9db016d9a7ef9df3571"],
  ])("of %j is what it always was", (text, digest) => {
    expect(digestText(text)).toBe(digest);
  });

  it("differs for different texts", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\0"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(digestText(a) === digestText(b)).toBe(a === b);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("Digest", () => {
  it("equals MurmurHash3 of the bytes in other implementations", () => {
    const digest = new Digest();
    for (const word of words("0123456789abcdef0123456789abcdef")) digest.word(word);
    expect(digest.hex()).toBe("3c7f0c53db3c985d011ce19836576442");
  });

  it("is the same for a text as for its words, wherever the text starts in a block", () => {
    fc.assert(
      fc.property(fc.nat(4), anyText(40), (before, text) => {
        const [whole, single] = [new Digest(), new Digest()];
        for (const digest of [whole, single]) for (let word = 0; word < before; word++) digest.word(word);
        whole.text(text);
        single.word(text.length);
        const units = Array.from({ length: text.length + 1 }, (_, index) => text.charCodeAt(index) || 0);
        for (let index = 0; index < text.length; index += 2) {
          single.word((units[index] ?? 0) | ((units[index + 1] ?? 0) << 16));
        }
        expect(whole.hex()).toBe(single.hex());
      }),
    );
  });
});
