import { textOf } from "@sessions/json-file";
import { expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";
import { longStory } from "./story.js";

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s during an answer keeps the partial answer, says so, and ends the chat",
  async (signal, code) => {
    const folder = dataFolder();
    const chat = ChatProcess.start(folder, ["--delay", "20"]);
    chat.type("tell me a long story\nhello\n");
    await chat.shows("Night 1.");
    chat.kill(signal);
    const ended = await chat.ended();
    expect(ended.code).toBe(code);
    expect(ended.errors).toContain("Interrupted. What was said so far is kept");
    const { messages, turn } = await storedSession(folder);
    expect(turn).toBeUndefined();
    expect(messages.map(({ role, status }) => [role, status])).toEqual([
      ["user", undefined],
      ["assistant", "interrupted"],
    ]);
    const stored = textOf(messages[1] ?? { role: "" });
    expect(stored.startsWith(ended.output.trimEnd())).toBe(true);
    expect((await longStory()).startsWith(stored)).toBe(true);
    const next = await ChatProcess.talk(folder, ["hello"]);
    expect(next.errors).not.toContain("cut off");
    expect(next.output).toBe("Hello again. I still know what we said.\n");
  },
);

test("/retry asks an interrupted question again", async () => {
  const folder = dataFolder();
  const chat = ChatProcess.start(folder, ["--delay", "20"]);
  chat.type("tell me a long story\n");
  await chat.shows("Night 1.");
  chat.kill("SIGINT");
  await chat.ended();
  const { output } = await ChatProcess.talk(folder, ["/retry"]);
  expect(output).toBe(`${await longStory()}\n`);
  expect((await storedSession(folder)).messageCount).toBe(2);
  const again = await ChatProcess.talk(folder, ["/retry"]);
  expect(again).toMatchObject({ code: 1, output: "" });
  expect(again.errors).toContain("There is nothing to retry");
});

test("a signal at the prompt ends the chat", async () => {
  const folder = dataFolder();
  const chat = ChatProcess.start(folder);
  chat.type("hello\n");
  await chat.shows("Hello.");
  chat.kill("SIGTERM");
  expect((await chat.ended()).code).toBe(143);
  expect((await storedSession(folder)).turn).toBeUndefined();
});
