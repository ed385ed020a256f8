import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { ChatProcess, main } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";
import { killedInMidAnswer } from "./killed-in-mid-answer.js";

const [CTRL_C, CTRL_D, ENTER, TAB] = ["\x03", "\x04", "\r", "\t"];
const PROMPT = "you> ";
const COLUMNS = 72;

/** The chat at a pseudo-terminal of `script`, which passes keys and output on. */
function atTerminal(folder: string, env: NodeJS.ProcessEnv = {}): ChatProcess {
  const command = `stty cols ${COLUMNS} && exec '${process.execPath}' '${main}' --data '${folder}' --delay 20`;
  return new ChatProcess("script", ["-qec", command, "/dev/null"], { TERM: "xterm", ...env });
}

describe("at a terminal", () => {
  test("a terminal has prompts and dimmed remarks, and Ctrl-D ends the chat", async () => {
    const chat = atTerminal(dataFolder());
    await chat.shows(PROMPT);
    chat.type(`2 + 2${ENTER}`);
    await chat.shows("2 + 2 = 4");
    await chat.shows('\x1b[2m[calculate {"expression":"2 + 2"}]\x1b[22m');
    chat.type(CTRL_D);
    expect((await chat.ended()).code).toBe(0);
  });

  test("the start says what to try, and a kill -9 of the process that it names leaves an answer to recover", async () => {
    const folder = dataFolder();
    const chat = atTerminal(folder);
    await chat.shows(PROMPT);
    const [, pid] = /kill -9 (\d+)/.exec(chat.output) ?? [];
    chat.type(`tell me a long story${ENTER}`);
    await chat.shows("Night 1.");
    process.kill(Number(pid), "SIGKILL");
    expect((await chat.ended()).code).toBe(128 + constants.signals.SIGKILL);
    expect((await ChatProcess.talk(folder, [])).errors).toContain("was cut off");
  });

  test("a streamed answer is broken between words at the width of the terminal", async () => {
    const chat = atTerminal(dataFolder(), { NO_COLOR: "1" });
    await chat.shows(PROMPT);
    chat.type(`tell me a story${ENTER}`);
    await chat.shows(PROMPT, 2);
    const lines = chat.output.split("\r\n");
    expect(lines).toContain("Night 1. Fog lay on the water, and three sails crossed the light. The");
    expect(lines).toContain("keeper counted the stairs, wrote it down, and the light turned until the");
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    chat.type(CTRL_D);
    await chat.ended();
  });

  test("NO_COLOR is respected", async () => {
    const chat = atTerminal(dataFolder(), { NO_COLOR: "1" });
    await chat.shows(PROMPT);
    chat.type(CTRL_D);
    expect((await chat.ended()).output).not.toContain("\x1b[2m");
  });

  test("Ctrl-C stops an answer, typed text stays for the next line, and Ctrl-C at the prompt ends the chat", async () => {
    const folder = dataFolder();
    const chat = atTerminal(folder);
    await chat.shows(PROMPT);
    chat.type(`tell me a long story${ENTER}`);
    await chat.shows("Night 1.");
    chat.type("what did I say before?");
    chat.type(CTRL_C);
    await chat.shows("Interrupted. What was said so far is kept");
    chat.type(ENTER);
    await chat.shows('Before this you said "tell me a long story".');
    await chat.shows(PROMPT, 3);
    chat.type(CTRL_C);
    expect((await chat.ended()).code).toBe(0);
    const { messages, turn } = await storedSession(folder);
    expect(turn).toBeUndefined();
    expect(messages.map(({ status }) => status)).toEqual([undefined, "interrupted", undefined, undefined]);
  });

  test("Ctrl-C twice during an answer exits at once, and the next start reports the cut-off answer", async () => {
    const folder = dataFolder();
    const chat = atTerminal(folder);
    await chat.shows(PROMPT);
    chat.type(`tell me a long story${ENTER}`);
    await chat.shows("Night 1.");
    chat.type(`${CTRL_C}${CTRL_C}`);
    expect((await chat.ended()).code).toBe(130);
    expect((await ChatProcess.talk(folder, [])).errors).toContain("was cut off");
  });

  test("at a terminal, the start after a kill asks what to do", async () => {
    const folder = await killedInMidAnswer();
    const chat = atTerminal(folder);
    await chat.shows("Keep it, retry or discard? [keep] ");
    chat.type(`perhaps${ENTER}`);
    await chat.shows("keep: it stays as it is.");
    chat.type(`d${ENTER}`);
    await chat.shows("Discarded");
    chat.type(CTRL_D);
    await chat.ended();
    expect((await storedSession(folder)).messageCount).toBe(0);
  });

  test("a late answer to that question does not undo what another process has done meanwhile", async () => {
    const folder = await killedInMidAnswer();
    const chat = atTerminal(folder);
    await chat.shows("Keep it, retry or discard? [keep] ");
    await ChatProcess.talk(folder, [], ["--recover", "keep"]);
    chat.type(`discard${ENTER}`);
    await chat.shows("Another process has seen to it meanwhile.");
    chat.type(CTRL_D);
    await chat.ended();
    expect((await storedSession(folder)).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("an error at a terminal is shown and the chat goes on, and the tab key completes commands", async () => {
    const chat = atTerminal(dataFolder());
    await chat.shows(PROMPT);
    chat.type(`/frob${ENTER}`);
    await chat.shows("There is no command /frob.");
    chat.type(`/he${TAB}`);
    await chat.shows("/help", 3); // the beginning and the error name it too
    chat.type(ENTER);
    await chat.shows("begins a new conversation; the present one stays");
    chat.type(CTRL_D);
    expect((await chat.ended()).code).toBe(0);
  });
});
