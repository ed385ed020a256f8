import { describe, expect, test } from "vitest";
import { Screen } from "../../src/terminal/screen.js";
import { styleFor } from "../../src/terminal/style.js";

class Written {
  text = "";
  write(text: string): void {
    this.text += text;
  }
}

function screenOn(interactive: boolean, env: NodeJS.ProcessEnv = {}) {
  const [answers, remarks, errors] = [new Written(), new Written(), new Written()];
  return {
    answers,
    remarks,
    errors,
    screen: new Screen({ answers, remarks, errors }, styleFor(interactive, env)),
  };
}

describe("a screen", () => {
  test("an answer ends with exactly one line feed", () => {
    const { screen, answers } = screenOn(false);
    screen.say("one ");
    screen.say("two");
    screen.endAnswer();
    screen.endAnswer();
    screen.say("three\n");
    screen.endAnswer();
    expect(answers.text).toBe("one two\nthree\n");
  });

  test("remarks about answers are not written to the output of answers", () => {
    const { screen, answers, remarks, errors } = screenOn(false);
    screen.say("answer");
    screen.remark("remark");
    screen.error("error");
    screen.line("line");
    expect([answers.text, remarks.text, errors.text]).toEqual(["answer\nline\n", "remark\n", "error\n"]);
  });

  test("a character that a stream cuts in two is written whole", () => {
    const { screen, answers } = screenOn(false);
    for (const unit of "a😀b".split("")) screen.say(unit);
    screen.say("\ud83d");
    screen.endAnswer();
    expect(answers.text).toBe("a😀b\ud83d\n");
  });

  test("control characters are made visible in every kind of text", () => {
    const { screen, answers, remarks, errors } = screenOn(false);
    for (const show of [screen.say, screen.line, screen.remark, screen.warn, screen.error])
      show.call(screen, "\x1b[2J");
    expect(answers.text + remarks.text + errors.text).not.toContain("\x1b");
  });
});

describe("colour", () => {
  test("colours are used at a terminal", () => {
    const { screen, remarks } = screenOn(true, { TERM: "xterm" });
    screen.remark("dim");
    expect(remarks.text).toBe("\x1b[2mdim\x1b[22m\n");
  });

  test.each([
    [false, {}],
    [true, { NO_COLOR: "1" }],
    [true, { TERM: "dumb" }],
  ])("colours are not used otherwise (at a terminal: %s, %o)", (interactive, env) => {
    const { screen, remarks } = screenOn(interactive, env);
    screen.remark("plain");
    expect(remarks.text).toBe("plain\n");
  });
});
