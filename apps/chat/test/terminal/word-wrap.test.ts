import fc from "fast-check";
import { expect, test } from "vitest";
import { WordWrap } from "../../src/terminal/word-wrap.js";

/** The text as it is on the screen when it comes in these pieces. */
function wrapped(columns: number | undefined, ...pieces: readonly string[]): string {
  const wrap = new WordWrap(columns === undefined ? {} : { columns });
  return pieces.map((piece) => wrap.take(piece)).join("") + wrap.rest();
}

test.each<[string, number, string]>([
  ["one two three", 7, "one two\nthree"],
  ["one two three", 8, "one two\nthree"],
  ["one two\nthree", 7, "one two\nthree"],
  ["a\n\nb", 4, "a\n\nb"],
  ["  1. oil for the lamp", 14, "  1. oil for\n  the lamp"],
  ["  /new   begins another one", 20, "  /new   begins\n         another one"],
  ["one.  two three", 10, "one.  two\nthree"],
  ["see https://example.org/long now", 10, "see\nhttps://example.org/long now"],
  ["12\u00a0000 oil", 7, "12\u00a0000\noil"],
  ["ab\tc", 8, "ab\nc"],
  ["灯台守の日誌", 6, "灯台守\nの日誌"],
  ["on 灯台 off", 5, "on 灯\n台\noff"],
  ["e\u0301e\u0301 e\u0301", 4, "e\u0301e\u0301 e\u0301"],
  ["🕯️🕯️ 🕯️", 5, "🕯️🕯️\n🕯️"],
])("%j in %i columns is broken between words", (text, columns, expected) => {
  expect(wrapped(columns, text)).toBe(expected);
});

test("a word is held back until it is whole, and the rest of the line is written at once", () => {
  const wrap = new WordWrap({ columns: 10 });
  expect(wrap.take("the light")).toBe("the");
  expect(wrap.take("house")).toBe("");
  expect(wrap.take(" turned")).toBe("\nlighthouse");
  expect(wrap.rest()).toBe("\nturned");
});

test("a new width counts from the next word on", () => {
  const terminal = { columns: 20 };
  const wrap = new WordWrap(terminal);
  const before = wrap.take("one two three ");
  terminal.columns = 15;
  expect(before + wrap.take("four ") + wrap.rest()).toBe("one two three\nfour");
});

test("a pipe, and a terminal without a size, get the text as it is", () => {
  expect(wrapped(undefined, "a  b \n c ")).toBe("a  b \n c ");
  expect(wrapped(0, "a  b \n c ")).toBe("a  b \n c ");
});

test("the pieces in which a text comes do not change its lines, no line is too long, and no word is lost", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "灯", "é"), minLength: 1, maxLength: 10 });
  const text = fc.array(fc.tuple(word, fc.constantFrom(" ", "  ", "\n")), { maxLength: 12 });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 10, max: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (parts, columns, size) => {
        const whole = parts.flat().join("");
        const characters = [...whole];
        const pieces = characters.flatMap((_, at) =>
          at % size === 0 ? characters.slice(at, at + size).join("") : [],
        );
        const lines = wrapped(columns, whole);
        expect(wrapped(columns, ...pieces)).toBe(lines);
        expect(lines.replace(/\s/g, "")).toBe(whole.replace(/\s/g, ""));
        for (const line of lines.split("\n"))
          expect([...line].reduce((sum, one) => sum + (one === "灯" ? 2 : 1), 0)).toBeLessThanOrEqual(
            columns,
          );
      },
    ),
  );
});
