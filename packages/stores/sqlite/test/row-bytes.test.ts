import { crc32 } from "node:zlib";
import { type MessageDraft, timed } from "@sessions/protocol/backend";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checksum } from "../src/engine/checksum.js";
import { timedText } from "../src/stored-message.js";

const at = 1_700_000_000_123;

test("the text of a message with its time is that of the message that it stands for", () => {
  const fields = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
  const createdAt = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((time) => time + 0));
  fc.assert(
    fc.property(fields, createdAt, fc.boolean(), (extra, time, isFirst) => {
      const given = time === null ? {} : { createdAt: time };
      const draft: MessageDraft = isFirst
        ? { ...given, ...extra, id: "m", role: "user" }
        : { id: "m", role: "user", ...extra, ...given };
      if (time === null && "createdAt" in draft) return;
      expect(timedText(draft, at)).toBe(JSON.stringify(timed(draft, at)));
    }),
  );
});

test("a key that is __proto__ is only a key", () => {
  const draft: MessageDraft = JSON.parse('{"id":"m","role":"user","__proto__":{"x":1}}');
  expect(timedText(draft, at)).toBe(JSON.stringify(timed(draft, at)));
});

test("a checksum is that of all fields in one text, each led by its length", () => {
  const field = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (fields) => {
      const whole = fields.map((one) => `${String(one).length}:${String(one)}`).join("");
      expect(checksum(...fields)).toBe(crc32(whole));
    }),
  );
});
