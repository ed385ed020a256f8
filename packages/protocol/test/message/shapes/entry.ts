import { NONE, type Shape } from "./shape.js";

/** Entries that wrap a message. */
export const entryShapes: readonly Shape[] = [
  {
    shape: "an entry that is a message",
    message: { role: "user", entry: { role: "user", content: "Hi" } },
    ...NONE,
    text: "Hi",
  },
  {
    shape: "an entry around a message with calls",
    message: {
      role: "assistant",
      entry: {
        type: "message",
        message: {
          role: "assistant",
          content: [
            { type: "text", text: "Look" },
            { type: "tool_use", id: "e1", name: "weather", input: {} },
          ],
        },
      },
    },
    text: "Look",
    calls: ["e1"],
    results: [],
  },
  {
    shape: "an entry whose content is a UIMessage",
    message: {
      role: "assistant",
      entry: {
        format: "ai-sdk/v6",
        content: {
          role: "assistant",
          parts: [{ type: "tool-weather", toolCallId: "e2", state: "input-available", input: {} }],
        },
      },
    },
    ...NONE,
    calls: ["e2"],
  },
];
