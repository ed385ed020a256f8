import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";

const GREETING =
  'Hello. I am a small built-in program, not a language model. Say "help" and I tell what I can do.\n';

describe("with a pipe", () => {
  test("only answers are on standard output, without colours, and the exit code is 0", async () => {
    const { code, output, errors } = await ChatProcess.talk(dataFolder(), ["hello"], [], {
      FORCE_COLOR: "1",
    });
    expect({ code, output }).toEqual({ code: 0, output: GREETING });
    expect(errors).toContain("Model: a small built-in program, not a language model");
    expect(output + errors).not.toContain("\x1b");
  });

  test("a second start continues the conversation of the first", async () => {
    const folder = dataFolder();
    await ChatProcess.talk(folder, ["remember that the lamp needs oil"]);
    const { output, errors } = await ChatProcess.talk(folder, ["what did I say before?", "show my notes"]);
    expect(errors).toContain('Going on with "remember that the lamp needs oil" (4 messages).');
    expect(output).toBe(
      'Before this you said "remember that the lamp needs oil".\nYour notes:\n  1. the lamp needs oil\n',
    );
    const { counters, metadata } = await storedSession(folder);
    expect(counters["turns"]).toBe(3);
    expect(JSON.stringify(metadata)).toContain("the lamp needs oil");
  });

  test("a last line without a line end is a message, and an empty line is none", async () => {
    const folder = dataFolder();
    const chat = ChatProcess.start(folder);
    chat.type("\n   \n1 + 1");
    expect(await chat.finish()).toMatchObject({ code: 0, output: "1 + 1 = 2\n" });
    expect((await storedSession(folder)).counters["turns"]).toBe(1);
  });

  test("escape sequences in a message are shown and not executed", async () => {
    const { output, errors } = await ChatProcess.talk(dataFolder(), ["\x1b[2J\x1b]0;mine\x07blue", "/list"]);
    expect(output).toContain('I have no answer to "␛[2J␛]0;mine␇blue"');
    expect(output).toMatch(/^\* 1 {2}\S+ {2}␛\[2J␛\]0;mine␇blue {2}\(2 messages, just now\)$/m);
    expect(output + errors).not.toContain("\x1b");
  });
});

describe("what goes wrong with a pipe", () => {
  test("an unknown command gets a hint and ends the run", async () => {
    const { code, output, errors } = await ChatProcess.talk(dataFolder(), ["/lst", "hello"]);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toContain("There is no command /lst. Did you mean /list?");
  });

  test("an unknown conversation is an error that says what to do, and ends the run", async () => {
    const { code, output, errors } = await ChatProcess.talk(dataFolder(), ["hello"], ["--session", "nobody"]);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toContain('There is no session "nobody".\nnpm start -- --new begins a new conversation.');
    expect(errors).not.toContain("\n    at ");
  });

  test("a data folder that is a file ends the run with exit code 1", async () => {
    const file = join(dataFolder(), "file");
    writeFileSync(file, "");
    const { code, errors } = await ChatProcess.talk(file, ["hello"]);
    expect(code).toBe(1);
    expect(errors).toContain(file);
    expect(errors).not.toContain("\n    at ");
  });

  test("if the reader of the output ends, the answer is stopped and kept", async () => {
    const folder = dataFolder();
    const chat = ChatProcess.start(folder, ["--delay", "10"]);
    chat.type("tell me a long story\n");
    await chat.shows("Night 1.");
    chat.closeOutput();
    expect((await chat.ended()).code).toBe(141);
    const { messages, turn } = await storedSession(folder);
    expect(turn).toBeUndefined();
    expect(messages.at(-1)?.status).toBe("interrupted");
  });

  test("--help prints the help, and creates nothing", async () => {
    const { code, output } = await ChatProcess.talk(dataFolder(), [], ["--help"]);
    expect(code).toBe(0);
    for (const word of ["--new", "--session", "--recover", "--data", "OPENAI_API_KEY", "SESSIONS_CHAT_DATA"])
      expect(output).toContain(word);
  });
});
