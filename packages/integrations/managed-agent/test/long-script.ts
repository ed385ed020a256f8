import type { AgentEvent, Runner } from "../src/index.js";

const WORDS = ["so ", "it ", "goes ", "on ", "and ", "on, ", "word ", "by ", "word, "];

function words(from: number, count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, n) => ({
    type: "text-delta",
    text: `${from + n} ${WORDS[(from + n) % WORDS.length]}`,
  }));
}

function tools(...ids: readonly string[]): AgentEvent[] {
  const calls = ids.map(
    (id): AgentEvent => ({ type: "tool-call", toolCallId: id, toolName: "look", input: { id } }),
  );
  const results = ids.map(
    (id): AgentEvent => ({ type: "tool-result", toolCallId: id, toolName: "look", output: { seen: id } }),
  );
  return [...calls, ...results];
}

/** A long answer with two rounds of tools. */
export const LONG_SCRIPT: readonly AgentEvent[] = [
  { type: "reasoning-delta", text: "where to begin" },
  ...words(0, 40),
  ...tools("a"),
  ...words(40, 40),
  ...tools("b", "c", "d"),
  // Long enough that a checkpoint is due by time alone, whatever else a machine has to do.
  ...words(80, 220),
  { type: "usage", usage: { inputTokens: 7, outputTokens: 200 } },
];

/** The text of events, one after the other. */
export function textOfEvents(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

/** The same answer, at once. */
export const longRunner: Runner = async function* () {
  yield* LONG_SCRIPT;
};
