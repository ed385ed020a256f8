import { type Message, type Session, textOf } from "@sessions/json-file";
import type { FollowEvent } from "@sessions/managed-agent";
import type { Chat } from "../chat.js";
import { showEvent } from "../show-event.js";
import type { Screen } from "../terminal/screen.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { isGone } from "./owner.js";

const LOOK_MS = 500;

/**
 * Shows a turn of another process from its beginning and live. It returns at the end of the turn, or as soon as the process is
 * known to be dead, without waiting for its lease. Returns `false` if the user has stopped it.
 */
export async function followOther(
  { agent, screen, button, host }: Chat,
  { id, turn }: Session,
): Promise<boolean> {
  screen.remark(`Another process is answering here (${stripControlsLine(turn?.owner ?? "unnamed")}):`);
  const gone = new AbortController();
  const looking = setInterval(() => isGone(turn?.owner, host) && gone.abort(), LOOK_MS);
  try {
    return await button.during(async (stopped) => {
      const signal = AbortSignal.any([stopped, gone.signal]);
      for await (const event of agent.follow(id, { signal })) show(event, screen);
      return !stopped.aborted;
    });
  } finally {
    clearInterval(looking);
    screen.endAnswer();
  }
}

function show(event: FollowEvent, screen: Screen): void {
  if (event.type === "turn-began") showQuestion(event.prompt, screen);
  else if (event.type === "turn-ended") showEnd(event.outcome, event.error, screen);
  else showEvent(event, screen);
}

function showQuestion(prompt: Message | undefined, screen: Screen): void {
  if (prompt !== undefined) screen.remark(`  you: ${stripControlsLine(textOf(prompt))}`);
}

function showEnd(outcome: string, error: string | undefined, screen: Screen): void {
  screen.endAnswer();
  if (outcome === "failed") screen.remark(`It failed: ${stripControlsLine(error ?? "nobody said why")}`);
  if (outcome === "interrupted") screen.remark("It was interrupted.");
}
