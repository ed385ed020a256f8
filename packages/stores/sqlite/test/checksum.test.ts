import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checksum } from "../src/engine/checksum.js";

test("a checksum is that of all fields in one text, each led by its length", () => {
  const field = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (fields) => {
      const whole = fields.map((one) => `${String(one).length}:${String(one)}`).join("");
      expect(checksum(...fields)).toBe(crc32(whole));
    }),
  );
});
