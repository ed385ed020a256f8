import { textOf } from "@sessions/json-file";
import { expect } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSession } from "./data-folder.js";

/** A folder in which a chat was killed in the middle of its story, after some of that had been saved. */
export async function killedInMidAnswer(before: readonly string[] = []): Promise<string> {
  const folder = dataFolder();
  const chat = ChatProcess.start(folder, ["--delay", "20"]);
  for (const line of [...before, "tell me a long story"]) chat.type(`${line}\n`);
  await chat.shows("Night 1.");
  await expect.poll(async () => (await answerIn(folder)).length, { timeout: 30_000 }).toBeGreaterThan(0);
  chat.kill("SIGKILL");
  await chat.ended();
  return folder;
}

const answerIn = async (folder: string): Promise<string> => {
  const last = (await storedSession(folder)).messages.at(-1);
  return last?.role === "assistant" ? textOf(last) : "";
};
