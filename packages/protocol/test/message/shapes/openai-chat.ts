import { NONE, type Shape } from "./shape.js";

/** Messages of the OpenAI chat API. */
export const chatShapes: readonly Shape[] = [
  {
    shape: "OpenAI chat content parts",
    message: {
      role: "user",
      content: [
        { type: "text", text: "Look:" },
        { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      ],
    },
    ...NONE,
    text: "Look:",
  },
  {
    shape: "OpenAI chat refusal beside empty content",
    message: { role: "assistant", content: null, refusal: "I can't help with that." },
    ...NONE,
    text: "I can't help with that.",
  },
  {
    shape: "OpenAI chat refusal part",
    message: { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    ...NONE,
    text: "No.",
  },
  {
    shape: "OpenAI chat tool calls",
    message: {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } },
        { id: "call_2", type: "custom", custom: { name: "sql", input: "select 1" } },
      ],
    },
    ...NONE,
    calls: ["call_1", "call_2"],
  },
  {
    shape: "OpenAI chat tool message",
    message: { role: "tool", tool_call_id: "call_1", content: "12 degrees" },
    text: "12 degrees",
    calls: [],
    results: ["call_1"],
  },
  {
    shape: "OpenAI chat function call of old",
    message: { role: "assistant", content: null, function_call: { name: "weather", arguments: "{}" } },
    ...NONE,
    calls: ["weather"],
  },
  {
    shape: "OpenAI chat function message of old",
    message: { role: "function", name: "weather", content: "12" },
    text: "12",
    calls: [],
    results: ["weather"],
  },
  {
    shape: "a user's name is no function",
    message: { role: "user", name: "ada", content: "Hi" },
    ...NONE,
    text: "Hi",
  },
];
