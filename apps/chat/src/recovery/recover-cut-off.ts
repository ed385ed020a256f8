import { type Session, textOf } from "@sessions/json-file";
import type { CutOffTurn } from "@sessions/managed-agent";
import type { Chat } from "../chat.js";
import { retryTurn } from "../retry-turn.js";
import { harmlessLine } from "../terminal/harmless.js";
import { readStrategy, type Strategy } from "./strategy.js";

/**
 * Says that an answer was cut off, shows what there is of it, and does with it what the user wishes. `false` if they
 * left without a wish.
 */
export async function recoverCutOff(chat: Chat, session: Session, cutOff: CutOffTurn): Promise<boolean> {
  tell(chat, cutOff);
  const strategy = await chosen(chat);
  if (strategy === undefined) return false;
  if (await hasMovedOn(chat, session)) chat.screen.remark("Another process has seen to it meanwhile.");
  else if (strategy === "retry") await retryTurn(chat, true);
  else await settle(chat, strategy);
  return true;
}

/** People take their time to answer. A turn that another process has begun since must not be taken for the dead one. */
async function hasMovedOn({ store }: Chat, { id, turn }: Session): Promise<boolean> {
  const now = (await store.getSession(id, { messages: "none" }))?.turn;
  return now?.turnId !== turn?.turnId || now?.startedAt !== turn?.startedAt;
}

async function settle(chat: Chat, strategy: "keep" | "discard"): Promise<void> {
  await chat.agent.recover({ strategy, force: true });
  chat.screen.remark(
    strategy === "keep"
      ? "Kept as it is, marked as interrupted."
      : "Discarded: the question and what there was of the answer.",
  );
}

function tell({ screen }: Chat, { prompt, text, status }: CutOffTurn): void {
  const question = prompt === undefined ? "" : ` to "${harmlessLine(textOf(prompt))}"`;
  const why = status === "running" ? "is gone" : "has not been heard of for a while";
  screen.warn(`The answer${question} was cut off: the process that was answering ${why}.`);
  screen.remark(text === "" ? "Nothing of it was saved yet." : "This much of it was saved:");
  if (text !== "") screen.remark(text);
}

/** `undefined`: the user left without an answer, and is asked again next time. */
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
