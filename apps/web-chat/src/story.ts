import { setTimeout as pause } from "node:timers/promises";
import type { AnswerRequest } from "@sessions/ai-sdk";
import type { UIMessageChunk } from "ai";
import { textOf } from "./text-of.js";

const NIGHTS = 40;
const WEATHER = [
  "The wind came from the north",
  "Fog lay on the water",
  "The sea was flat",
  "It rained without an end",
];
const DEEDS = ["trimmed the wick", "wound up the clockwork", "polished the great lens"];

/** Answers word by word without a model: with a long story to interrupt, or with the text of the user. */
export async function* tell(
  { messages, signal }: AnswerRequest,
  delayMs: number,
): AsyncGenerator<UIMessageChunk, void, undefined> {
  const last = messages.at(-1);
  const question = last === undefined ? "" : textOf(last);
  const answer = /\bstory\b/i.test(question)
    ? story()
    : `You said "${question}". That was message ${messages.length}.`;
  yield { type: "start-step" };
  yield { type: "text-start", id: "answer" };
  for (const delta of answer.match(/\s*\S+/g) ?? []) {
    yield { type: "text-delta", id: "answer", delta };
    await pause(delayMs, undefined, { signal });
  }
  yield { type: "text-end", id: "answer" };
  yield { type: "finish-step" };
  yield { type: "finish", finishReason: "stop" };
}

/** Always the same story, so that a missing or doubled word is easy to find. */
export function story(): string {
  const nights = Array.from({ length: NIGHTS }, (_, index) => {
    const [weather, deed] = [WEATHER[index % WEATHER.length], DEEDS[index % DEEDS.length]];
    return `Night ${index + 1}. ${weather}. The keeper ${deed}, and wrote it down.`;
  });
  return [
    "The keeper of the lighthouse wrote one line every night.",
    ...nights,
    "No line was ever lost.",
  ].join("\n");
}
