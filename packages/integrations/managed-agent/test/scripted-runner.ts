import type { AgentEvent, Runner } from "../src/index.js";

/** An answer with everything in it: thought, words, a tool in the middle, usage, state. */
export const SCRIPT: readonly AgentEvent[] = [
  { type: "reasoning-delta", text: "What do they want? " },
  { type: "text-delta", text: "Let me " },
  { type: "text-delta", text: "look. " },
  { type: "tool-call", toolCallId: "call-1", toolName: "look", input: { at: "it" } },
  { type: "tool-call", toolCallId: "call-2", toolName: "look", input: { at: "that" } },
  { type: "tool-result", toolCallId: "call-1", toolName: "look", output: { seen: 1 } },
  { type: "tool-result", toolCallId: "call-2", toolName: "look", output: "nothing", isError: true },
  { type: "text-delta", text: "The answer " },
  { type: "text-delta", text: "is " },
  { type: "usage", usage: { inputTokens: 10, outputTokens: 5 } },
  { type: "state", patch: { mood: "sure" } },
  { type: "text-delta", text: "42." },
];

/** All that it says. */
export const SCRIPT_TEXT = "Let me look. The answer is 42.";

/** Tells `script`, and does something before the event of a certain index, or after the last one. */
export function scripted(
  script: readonly AgentEvent[] = SCRIPT,
  before: { readonly index: number; readonly act: () => Promise<void> } = {
    index: -1,
    act: async () => undefined,
  },
): Runner {
  return async function* () {
    for (const [index, event] of script.entries()) {
      if (index === before.index) await before.act();
      yield event;
    }
    if (before.index === script.length) await before.act();
  };
}
