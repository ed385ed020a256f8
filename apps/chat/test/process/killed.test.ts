import { textOf } from "@sessions/json-file";
import { describe, expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { storedSession } from "./data-folder.js";
import { killedInMidAnswer } from "./killed-in-mid-answer.js";
import { longStory } from "./story.js";

const ASK = "tell me a long story";

/** What is stored, as pairs of role and text. */
const storedTexts = async (folder: string) =>
  (await storedSession(folder)).messages.map((message) => [message.role, textOf(message)]);

describe("a chat that is killed during an answer", () => {
  test("after a kill, the next start shows the partial answer, and keeps it if it cannot ask", async () => {
    const folder = await killedInMidAnswer(["blue"]);
    const { code, output, errors } = await ChatProcess.talk(folder, ["what did I say before?"]);
    expect(code).toBe(0);
    expect(errors).toContain(`The answer to "${ASK}" was cut off: the process that was answering is gone.`);
    expect(errors).toContain("Kept as it is, marked as interrupted.");
    expect(errors).not.toContain("Another process is answering");
    const partial = (await storedSession(folder)).messages[3];
    expect(partial?.status).toBe("interrupted");
    expect((await longStory()).startsWith(textOf(partial ?? { role: "" }))).toBe(true);
    expect(errors).toContain("This much of it was saved:\nThe keeper of the lighthouse");
    expect(output).toBe(`Before this you said "blue", then "${ASK}".\n`);
    expect((await ChatProcess.talk(folder, [])).errors).not.toContain("cut off");
  });

  test("after a kill, retry answers the same prompt, which is stored once", async () => {
    const folder = await killedInMidAnswer(["blue"]);
    const { code, output } = await ChatProcess.talk(folder, [], ["--recover", "retry"]);
    const story = await longStory();
    expect({ code, output }).toEqual({ code: 0, output: `${story}\n` });
    expect((await storedTexts(folder)).slice(2)).toEqual([
      ["user", ASK],
      ["assistant", story],
    ]);
    expect((await storedSession(folder)).counters["turns"]).toBe(2);
  });

  test("after a kill, discard removes the prompt and the partial answer", async () => {
    const folder = await killedInMidAnswer(["blue"]);
    const { code, errors } = await ChatProcess.talk(folder, [], ["--recover", "discard"]);
    expect(code).toBe(0);
    expect(errors).toContain("Discarded");
    expect((await storedTexts(folder)).map(([role]) => role)).toEqual(["user", "assistant"]);
  });
});
