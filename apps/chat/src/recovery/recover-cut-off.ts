import { textOf } from "@sessions/json-file";
import type { CutOffTurn } from "@sessions/managed-agent";
import type { Chat } from "../chat.js";
import { retryTurn } from "../retry-turn.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { readStrategy, type Strategy } from "./strategy.js";

/**
 * Shows the part of an answer that was cut off, asks the user what to do with it, and does that. Returns `false` if the user
 * has not answered.
 */
export async function recoverCutOff(chat: Chat, cutOff: CutOffTurn): Promise<boolean> {
  tell(chat, cutOff);
  const strategy = await chosen(chat);
  if (strategy === undefined) return false;
  const done = strategy === "retry" ? await retryTurn(chat, cutOff) : await settle(chat, strategy, cutOff);
  // Another process may change the turn while the user thinks.
  if (!done) chat.screen.remark("Another process has seen to it meanwhile.");
  return true;
}

async function settle(chat: Chat, strategy: "keep" | "discard", cutOff: CutOffTurn): Promise<boolean> {
  if ((await chat.agent.recover({ strategy, cutOff, force: true })) === undefined) return false;
  chat.screen.remark(
    strategy === "keep"
      ? "Kept as it is, marked as interrupted."
      : "Discarded: the question and what there was of the answer.",
  );
  return true;
}

function tell({ screen }: Chat, { prompt, text, status }: CutOffTurn): void {
  const question = prompt === undefined ? "" : ` to "${stripControlsLine(textOf(prompt))}"`;
  const why = status === "running" ? "is gone" : "has not been heard of for a while";
  screen.warn(`The answer${question} was cut off: the process that was answering ${why}.`);
  screen.remark(text === "" ? "Nothing of it was saved yet." : "This much of it was saved:");
  if (text !== "") screen.remark(text);
}

/** Returns `undefined` if the user has not answered. Then the next start asks again. */
async function chosen({ interactive, recover, lines, screen }: Chat): Promise<Strategy | undefined> {
  if (recover !== undefined || !interactive) return recover ?? "keep";
  for (;;) {
    const line = await lines.next("Keep it, retry or discard? [keep] ");
    if (line === undefined) return undefined;
    const strategy = line.trim() === "" ? "keep" : readStrategy(line);
    if (strategy !== undefined) return strategy;
    screen.remark(
      "keep: it stays as it is. retry: the same question again. discard: question and answer go.",
    );
  }
}
