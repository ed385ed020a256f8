import { NONE, type Shape } from "./shape.js";

/** Messages that belong to no specific provider. */
export const plainShapes: readonly Shape[] = [
  { shape: "string content", message: { role: "user", content: "Hello" }, ...NONE, text: "Hello" },
  { shape: "empty content", message: { role: "assistant", content: "" }, ...NONE },
  { shape: "no content", message: { role: "assistant" }, ...NONE },
  { shape: "null content", message: { role: "assistant", content: null }, ...NONE },
  {
    shape: "parts of an unknown type",
    message: { role: "assistant", content: [{ type: "hologram", text: "boo", id: "h1", toolCallId: "c1" }] },
    ...NONE,
  },
];
