import { expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";
import { longStory } from "./story.js";

const ASK = "tell me a long story";

/** Has a chat answer, and holds it in the middle of that: however slow the machine, the other finds it answering. */
async function heldInMidAnswer(chat: ChatProcess): Promise<void> {
  chat.type(`${ASK}\n`);
  await chat.shows("Night 1.");
  chat.kill("SIGSTOP");
}

test("a second chat follows the answer of the first from its beginning, and then answers", async () => {
  const folder = dataFolder();
  const [first, second] = [ChatProcess.start(folder, ["--delay", "2"]), ChatProcess.start(folder)];
  await heldInMidAnswer(first);
  second.type(`/switch ${(await storedSession(folder)).id}\nwhat did I say before?\n`);
  await second.shows("Another process is answering here");
  first.kill("SIGCONT");
  const { code, output, errors } = await second.finish();
  expect(errors).toMatch(
    /Another process is answering here \(chat on .*, process \d+\):\n {2}you: tell me a long/,
  );
  expect(output).toBe(`${await longStory()}\nBefore this you said "${ASK}".\n`);
  expect(code).toBe(0);
  expect((await first.finish()).code).toBe(0);
});

test("a second chat in the same conversation waits for its turn", async () => {
  const folder = dataFolder();
  const first = ChatProcess.start(folder, ["--delay", "2"]);
  first.type("blue\n");
  await first.shows("no answer");
  const second = ChatProcess.start(folder);
  await second.shows("Going on with");
  await heldInMidAnswer(first);
  second.type("what did I say before?\n");
  await second.shows("Another process is answering here");
  first.kill("SIGCONT");
  const { code, output } = await second.finish();
  expect(code).toBe(0);
  expect(output).toBe(`${await longStory()}\nBefore this you said "blue", then "${ASK}".\n`);
});

test("when the first chat is killed, the second reports it at once and goes on", async () => {
  const folder = dataFolder();
  const first = ChatProcess.start(folder, ["--delay", "20"]);
  await heldInMidAnswer(first);
  const second = ChatProcess.start(folder);
  await second.shows("Another process is answering here");
  first.kill("SIGKILL");
  await second.shows("was cut off");
  second.type("what did I say before?\n");
  expect(await second.finish()).toMatchObject({ code: 0 });
  expect(second.output).toContain(`Before this you said "${ASK}".`);
});
