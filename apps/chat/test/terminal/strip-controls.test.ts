import fc from "fast-check";
import { expect, test } from "vitest";
import { stripControls, stripControlsLine } from "../../src/terminal/strip-controls.js";

test.each([
  ["an escape sequence that clears the screen", "a\x1b[2Jb", "a␛[2Jb"],
  ["a new title for the window", "\x1b]0;root\x07", "␛]0;root␇"],
  ["a carriage return that overwrites the line", "safe\rdone", "safe␍done"],
  ["a backspace", "no\b\byes", "no␈␈yes"],
  ["a control of the upper half", "a\u009b2Jb", "a<009B>2Jb"],
  ["a delete", "a\x7f", "a␡"],
  ["a turned direction", "user\u202Etxt.exe", "user<202E>txt.exe"],
])("%s is made visible", (_name, text, shown) => {
  expect(stripControls(text)).toBe(shown);
});

test("text without control characters is not changed", () => {
  const text = "line\n\tindented, ünïcode, 日本, 👩‍🚀, \u2028";
  expect(stripControls(text)).toBe(text);
});

test("no control character is ever left", () => {
  const units = fc.oneof(
    fc.integer({ min: 0, max: 0x20ff }).map((code) => String.fromCharCode(code)),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(units), (pieces) => {
      const codes = [...stripControls(pieces.join(""))].map((character) => character.charCodeAt(0));
      expect(
        codes.filter((code) => (code < 0x20 && code !== 0x0a && code !== 0x09) || isLater(code)),
      ).toEqual([]);
    }),
  );
});

test("a title cannot contain a line break", () => {
  expect(stripControlsLine("  nice\n* 1  another one\r\nyou> yes ")).toBe("nice * 1 another one you> yes");
});

/** The controls beyond the first, and what turns directions. */
const isLater = (code: number): boolean =>
  (code >= 0x7f && code <= 0x9f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
