import { NONE, type Shape } from "./shape.js";

/** The AI SDK's UIMessage. */
export const uiMessageShapes: readonly Shape[] = [
  {
    shape: "UIMessage text over two steps",
    message: {
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm.", state: "done" },
        { type: "text", text: "One.", state: "done" },
        { type: "step-start" },
        { type: "text", text: "Two.", state: "done" },
      ],
    },
    ...NONE,
    text: "One.\nTwo.",
  },
  {
    shape: "UIMessage tools with output, error and refusal",
    message: {
      role: "assistant",
      parts: [
        { type: "tool-weather", toolCallId: "u1", state: "output-available", input: {}, output: "12" },
        { type: "tool-weather", toolCallId: "u2", state: "output-error", input: {}, errorText: "down" },
        {
          type: "dynamic-tool",
          toolName: "pay",
          toolCallId: "u3",
          state: "output-denied",
          input: {},
          approval: { id: "a1", approved: false },
        },
      ],
    },
    text: "",
    calls: ["u1", "u2", "u3"],
    results: ["u1", "u2", "u3"],
  },
  {
    shape: "UIMessage tools that still wait",
    message: {
      role: "assistant",
      parts: [
        { type: "tool-weather", toolCallId: "u1", state: "input-streaming", input: undefined },
        { type: "tool-weather", toolCallId: "u2", state: "input-available", input: {} },
        {
          type: "tool-pay",
          toolCallId: "u3",
          state: "approval-requested",
          input: {},
          approval: { id: "a1" },
        },
        {
          type: "dynamic-tool",
          toolName: "pay",
          toolCallId: "u4",
          state: "approval-responded",
          input: {},
          approval: { id: "a2", approved: true },
        },
      ],
    },
    ...NONE,
    calls: ["u1", "u2", "u3", "u4"],
  },
  {
    shape: "UIMessage tool whose name is `result`",
    message: {
      role: "assistant",
      parts: [{ type: "tool-result", toolCallId: "u1", state: "input-available", input: {} }],
    },
    ...NONE,
    calls: ["u1"],
  },
  {
    shape: "text in content and in parts is one text",
    message: { role: "user", content: "Hello", parts: [{ type: "text", text: "Hello" }] },
    ...NONE,
    text: "Hello",
  },
];
