import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { constants, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isGone, ownerName } from "../../src/recovery/owner.js";
import { ChatProcess, main } from "./chat-process.js";
import { longStory } from "./story.js";

/** The demo, with a folder for temporary files of its own. */
function demo(env: NodeJS.ProcessEnv = {}): { readonly process: ChatProcess; readonly temporary: string } {
  const temporary = mkdtempSync(join(tmpdir(), "demo-test-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const process_ = new ChatProcess(process.execPath, [main, "--demo"], { TMPDIR: temporary, ...env });
  return { process: process_, temporary };
}

/** What is between two texts, each of which is there. */
function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  if (start === -1 || end === -1) throw new Error(`There is no ${from} with ${to} after it in:\n${text}`);
  return text.slice(start + from.length, end);
}

const isAlive = (pid: number): boolean => !isGone(ownerName(hostname(), pid), hostname());

describe("npm start -- --demo", () => {
  test("without a terminal, the demo kills its chat in the middle of an answer, recovers it, and leaves nothing behind", async () => {
    const { process: chat, temporary } = demo({ OPENAI_BASE_URL: "http://127.0.0.1:1" });
    const { code, output, errors } = await chat.finish();
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(readdirSync(temporary)).toEqual([]);

    const story = await longStory();
    const shown = between(output, "you> tell me a long story\n", "\n$ kill -9 ");
    const saved = between(output, "This much of it was saved:\n", "\nKept as it is");
    expect(story.startsWith(shown) && story.startsWith(saved)).toBe(true);
    expect(shown.length).toBeLessThan(story.length);
    const pid = Number(between(output, "$ kill -9 ", "\nKilled\n"));
    expect(output).toContain(`run  kill -9 ${pid}  in another terminal`);
    expect(isAlive(pid)).toBe(false);
    expect(output).toContain(
      'Before this you said "remember that the lamp needs oil", then "tell me a long story".\n',
    );
    expect(output).toContain("you> show my notes\n[list_notes {}]\nYour notes:\n  1. the lamp needs oil\n");
    expect(output).toMatch(/What survived the kill -9: .* \d+ of the \d+ characters of the answer\./);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("%s ends the demo, its chat and its folder", async (signal) => {
    const { process: chat, temporary } = demo();
    await chat.shows("Night 1.");
    const pid = Number(/kill -9 (\d+)/.exec(chat.output)?.[1]);
    expect(isAlive(pid)).toBe(true);
    chat.kill(signal);
    const { code, errors } = await chat.ended();
    expect({ code, errors }).toEqual({ code: 128 + constants.signals[signal], errors: "" });
    expect(isAlive(pid)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("if the reader of the output ends, the demo ends, and leaves nothing behind", async () => {
    const { process: chat, temporary } = demo();
    await chat.shows("Night 1.");
    chat.closeOutput();
    expect((await chat.ended()).code).toBe(141);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
