/** The chunks of an answer, as OpenAI sends them. */
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  model: "test-model",
  choices: [{ index: 0, delta, finish_reason }],
});

export const says = (content: string): object => chunk({ content });

export const thinks = (reasoning_content: string): object => chunk({ reasoning_content });

export const withDelta = (delta: object): object => chunk(delta);

/** The first fragment of a call. `more` gives the further fragments of its arguments. */
export const calls = (index: number, id: string, name: string, args = ""): object =>
  chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }] });

export const more = (index: number, args: string): object =>
  chunk({ tool_calls: [{ index, function: { arguments: args } }] });

export const stops = (reason = "stop"): object => chunk({}, reason);

export const uses = (usage: object): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [],
  usage,
});
