import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64Url, encodeBase64, encodeBase64Url } from "../../src/encoding/base64.js";

describe("base64", () => {
  it("equals the encoding of Node", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(encodeBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      }),
    );
  });

  it("decodes to the same bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeBase64Url(encodeBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });

  it("is decoded only if an encoder would write the same text", () => {
    const almost = fc.string({
      unit: fc.constantFrom("A", "B", "Q", "-", "_", "=", "+", "/", " ", "é", "\n"),
    });
    fc.assert(
      fc.property(almost, (text) => {
        const bytes = decodeBase64Url(text);
        expect(bytes !== undefined).toBe(Buffer.from(text, "base64url").toString("base64url") === text);
      }),
      { numRuns: 2000 },
    );
  });
});
