import { expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";
import { longStory } from "./story.js";

test("a second chat follows the answer of the first, from its beginning, and then has its turn", async () => {
  const folder = dataFolder();
  const first = ChatProcess.start(folder, ["--delay", "5"]);
  first.type("tell me a long story\n");
  await first.shows("Night 1.");
  const second = await ChatProcess.talk(folder, ["what did I say before?"]);
  expect(second.errors).toMatch(/Another process is answering here \(chat on .*, process \d+\):/);
  expect(second.output).toBe(`${await longStory()}\nBefore this you said "tell me a long story".\n`);
  expect(second.code).toBe(0);
  expect((await first.finish()).code).toBe(0);
});

test("a second chat that waits for its turn in a conversation that it knows", async () => {
  const folder = dataFolder();
  const [first, second] = [ChatProcess.start(folder, ["--delay", "10"]), ChatProcess.start(folder)];
  first.type("blue\n");
  await first.shows("no answer");
  const { id } = await storedSession(folder);
  second.type(`/switch ${id}\n`);
  await second.shows("Going on with");
  first.type("tell me a story\n");
  await first.shows("Night 1.");
  second.type("what did I say before?\n");
  const { code, output } = await second.finish();
  expect(code).toBe(0);
  expect(output).toMatch(/knew everything\.\nBefore this you said "blue", then "tell me a story"\.\n$/);
});

test("when the first is killed, the second says so at once and goes on", async () => {
  const folder = dataFolder();
  const first = ChatProcess.start(folder, ["--delay", "20"]);
  first.type("tell me a long story\n");
  await first.shows("Night 1.");
  const second = ChatProcess.start(folder);
  await second.shows("Another process is answering here");
  first.kill("SIGKILL");
  await second.shows("was cut off");
  second.type("what did I say before?\n");
  expect(await second.finish()).toMatchObject({ code: 0 });
  expect(second.output).toContain('Before this you said "tell me a long story".');
});
