import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { animatedSvg } from "../recording/animated-svg.mjs";
import { recordTerminal } from "../recording/record-terminal.mjs";
import { terminalText } from "../recording/terminal-text.mjs";
import { root } from "../root.mjs";

const options = { columns: 10, rows: 2, title: "a < b", firstFrame: "you>" };

const drawn = (output) => animatedSvg(terminalText(output, options.columns), options);

describe("text of a terminal", () => {
  test("text has its row, column, style and time, and a long line goes on in the next row", () => {
    expect(
      terminalText(
        [
          { at: 1, text: "one \x1b[2mtwo" },
          { at: 2, text: "\x1b[22m\r\n0123456789ab" },
        ],
        10,
      ),
    ).toEqual([
      { at: 1, row: 0, column: 0, style: undefined, text: "one " },
      { at: 1, row: 0, column: 4, style: "dim", text: "two" },
      { at: 2, row: 1, column: 0, style: undefined, text: "0123456789" },
      { at: 2, row: 2, column: 0, style: undefined, text: "ab" },
    ]);
  });

  test.each(["a\x1b[2J", "a\rb"])("%j, which moves back, is refused", (text) => {
    expect(() => terminalText([{ at: 0, text }], 10)).toThrow("cannot be drawn");
  });
});

describe("the drawing", () => {
  const output = [
    { at: 10, text: "hello <&>\r\n" },
    { at: 20, text: "you> " },
    { at: 1020, text: "hi\r\n" },
    { at: 2020, text: "Hello." },
  ];

  test("the first frame has everything up to the first prompt, and later text appears in its own time", () => {
    const svg = drawn(output);
    expect(svg).toContain(
      '<text x="0" y="13" textLength="72" lengthAdjust="spacingAndGlyphs">hello &lt;&amp;&gt;</text>',
    );
    expect(svg).toMatch(/<text x="0" y="31" [^>]*>you&gt; <\/text>/);
    expect(svg).toMatch(/<text class="t t2500" x="40" y="31" [^>]*>hi<\/text>/);
    expect(svg).toMatch(/<text class="t t3500" x="0" y="49" [^>]*>Hello\.<\/text>/);
    expect(svg).toContain("@keyframes t2500{0%{visibility:hidden}26.316%{visibility:visible}}");
    expect(svg).toContain("36.842%{transform:translateY(-18px)}");
  });

  test("the same output gives the same file", () => {
    expect(drawn(output)).toBe(drawn(output));
  });

  test("a recording without a prompt is refused", () => {
    expect(() => drawn([{ at: 0, text: "hello" }])).toThrow('the recording has no "you>"');
  });
});

test("a command is recorded at a terminal of the given size, and its failure is an error", async () => {
  const size = { columns: 33, rows: 5 };
  const program = (end) => [
    process.execPath,
    "-e",
    `process.stdout.write(process.stdout.columns + " it's\\n"); ${end}`,
  ];
  const output = await recordTerminal(program(""), size);
  expect(output.map(({ text }) => text).join("")).toBe("33 it's\r\n");
  await expect(recordTerminal(program("process.exit(3)"), size)).rejects.toThrow("exit code 3");
});

test("the recording in the documentation is small, and has no script and nothing from elsewhere", () => {
  const svg = readFileSync(join(root, "docs/recordings/chat.svg"), "utf8");
  expect(svg.length).toBeLessThan(150_000);
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
    /<script|https?:|href|url\(|@import|\son\w+=/,
  );
});
