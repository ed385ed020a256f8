import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ChatProcess, main } from "./chat-process.js";
import { longStory } from "./story.js";

const file = new URL("../../../../docs/recordings/chat.svg", import.meta.url);
const SAVED = /(?<=This much of it was saved: ).*?(?= Kept as it is)/;

/** The text of the recording's rows, from top to bottom. */
function recordedText(svg: string): string {
  const [, screen = ""] = svg.split('<g class="s">');
  const rows = new Map<number, string>();
  for (const [, x, y, text = ""] of screen.matchAll(/<text[^>]* x="(\d+)" y="(\d+)"[^>]*>([^<]*)<\/text>/g))
    rows.set(Number(y), (rows.get(Number(y)) ?? "").padEnd(Number(x) / 8) + unescaped(text));
  return onOneLine(
    [...rows]
      .toSorted(([a], [b]) => a - b)
      .map(([, row]) => row)
      .join("\n"),
  );
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** A terminal breaks lines, and a pipe does not. */
const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Without what is different each time: the process id, and where the kill came. */
const comparable = (text: string): string =>
  text
    .replaceAll(/kill -9 \d+/g, "kill -9 PID")
    .replace(/(?<=It rained without an end,).*?(?= \$ kill)/, "")
    .replace(SAVED, "SAVED")
    .replace(/\d+ of the \d+ characters/, "N of the N characters");

test("the recording in the documentation shows what the demo prints", async () => {
  const recorded = recordedText(readFileSync(file, "utf8"));
  const { output } = await new ChatProcess(process.execPath, [main, "--demo"]).finish();
  expect(comparable(recorded), "npm run recording makes a new one").toBe(comparable(onOneLine(output)));
  const [saved = "nothing"] = SAVED.exec(recorded) ?? [];
  expect(onOneLine(await longStory()).startsWith(saved)).toBe(true);
});
