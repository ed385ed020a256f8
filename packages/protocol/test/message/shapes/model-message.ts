import { NONE, type Shape } from "./shape.js";

/** The AI SDK's ModelMessage. */
export const modelMessageShapes: readonly Shape[] = [
  {
    shape: "ModelMessage text beside a picture",
    message: {
      role: "user",
      content: [
        { type: "text", text: "What is" },
        { type: "image", image: "aGVsbG8=", mediaType: "image/png" },
        { type: "text", text: "this?" },
      ],
    },
    ...NONE,
    text: "What is\nthis?",
  },
  {
    shape: "ModelMessage with reasoning, text and two parallel calls",
    message: {
      role: "assistant",
      content: [
        { type: "reasoning", text: "The user wants the weather." },
        { type: "text", text: "Let me look." },
        { type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Ghent" } },
        { type: "tool-call", toolCallId: "c2", toolName: "weather", input: { city: "Bruges" } },
      ],
    },
    text: "Let me look.",
    calls: ["c1", "c2"],
    results: [],
  },
  {
    shape: "ModelMessage tool results",
    message: {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "weather", output: { type: "text", value: "12" } },
        { type: "tool-result", toolCallId: "c2", toolName: "weather", output: { type: "json", value: 13 } },
      ],
    },
    ...NONE,
    results: ["c1", "c2"],
  },
  {
    shape: "ModelMessage call that the provider ran and answered in place",
    message: {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "p1", toolName: "search", input: {}, providerExecuted: true },
        { type: "tool-result", toolCallId: "p1", toolName: "search", output: { type: "json", value: [] } },
        { type: "text", text: "Found nothing." },
      ],
    },
    text: "Found nothing.",
    calls: ["p1"],
    results: ["p1"],
  },
  {
    shape: "ModelMessage call with an approval request",
    message: {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "c1", toolName: "pay", input: {} },
        { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
      ],
    },
    ...NONE,
    calls: ["c1"],
  },
  {
    shape: "ModelMessage approval response: not yet the call's result",
    message: {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }],
    },
    ...NONE,
  },
];
