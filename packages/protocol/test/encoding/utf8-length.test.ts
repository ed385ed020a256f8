import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/encoding/utf8-length.js";

describe("utf8Length", () => {
  it("is the number of bytes that an encoder writes, for any sequence of UTF-16 units", () => {
    const unit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }));
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = String.fromCharCode(...units);
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  it.each([
    ["", 0],
    ["ascii", 5],
    ["\u007f\u0080", 3],
    ["\u07ff\u0800", 5],
    ["\uffff", 3],
    ["😀", 4],
    ["\ud800", 3],
    ["\udc00\ud800", 6],
    ["\ud800\ud800\udc00", 7],
  ])("of %j is %i", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });
});
