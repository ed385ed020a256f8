/** The events of an answer with every kind of event: reasoning, text, two tool calls, usage, state. */
export const SCRIPT = [
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
] as const;

/** The whole text of the script. */
export const SCRIPT_TEXT = "Let me look. The answer is 42.";
