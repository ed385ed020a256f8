import { NONE, type Shape } from "./shape.js";

/** Items of the OpenAI Agents SDK. */
export const agentsItemShapes: readonly Shape[] = [
  {
    shape: "Agents user item",
    message: { role: "user", item: { role: "user", content: "Hi" } },
    ...NONE,
    text: "Hi",
  },
  {
    shape: "Agents assistant item",
    message: {
      role: "assistant",
      item: {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hello." }],
      },
    },
    ...NONE,
    text: "Hello.",
  },
  {
    shape: "Agents spoken answer",
    message: {
      role: "assistant",
      item: {
        role: "assistant",
        status: "completed",
        content: [{ type: "audio", audio: "UklGRg==", transcript: "Hello there." }],
      },
    },
    ...NONE,
    text: "Hello there.",
  },
  {
    shape: "Agents reasoning item, whose summary looks like a user's text",
    message: {
      role: "assistant",
      item: { type: "reasoning", id: "rs_1", content: [{ type: "input_text", text: "Thinking." }] },
    },
    ...NONE,
  },
  {
    shape: "Agents function call",
    message: {
      role: "assistant",
      item: { type: "function_call", callId: "g1", name: "weather", arguments: "{}" },
    },
    ...NONE,
    calls: ["g1"],
  },
  {
    shape: "Agents function result",
    message: {
      role: "tool",
      item: {
        type: "function_call_result",
        name: "weather",
        callId: "g1",
        status: "completed",
        output: { type: "text", text: "12" },
      },
    },
    ...NONE,
    results: ["g1"],
  },
  {
    shape: "Agents computer result",
    message: {
      role: "tool",
      item: {
        type: "computer_call_result",
        callId: "g2",
        output: { type: "computer_screenshot", data: "aGk=" },
      },
    },
    ...NONE,
    results: ["g2"],
  },
  {
    shape: "Agents program",
    message: { role: "assistant", item: { type: "program", callId: "g3", code: "1", fingerprint: "f" } },
    ...NONE,
    calls: ["g3"],
  },
  {
    shape: "Agents program output",
    message: {
      role: "tool",
      item: { type: "program_output", callId: "g3", output: "1", status: "completed" },
    },
    ...NONE,
    results: ["g3"],
  },
  {
    shape: "Agents hosted call",
    message: { role: "assistant", item: { type: "hosted_tool_call", name: "web_search", id: "h1" } },
    ...NONE,
  },
];
