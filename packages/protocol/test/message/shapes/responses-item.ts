import { NONE, type Shape } from "./shape.js";

/** Items of the OpenAI Responses API, as the message itself or under `item`. */
export const responseItemShapes: readonly Shape[] = [
  {
    shape: "Responses user message",
    message: { role: "user", type: "message", content: [{ type: "input_text", text: "Hi" }] },
    ...NONE,
    text: "Hi",
  },
  {
    shape: "Responses assistant message",
    message: {
      role: "assistant",
      type: "message",
      status: "completed",
      content: [
        { type: "output_text", text: "Hello.", annotations: [] },
        { type: "refusal", refusal: "But no more." },
      ],
    },
    ...NONE,
    text: "Hello.\nBut no more.",
  },
  {
    shape: "Responses function call at the top",
    message: { role: "assistant", type: "function_call", call_id: "f1", name: "weather", arguments: "{}" },
    ...NONE,
    calls: ["f1"],
  },
  {
    shape: "Responses function output at the top",
    message: { role: "tool", type: "function_call_output", call_id: "f1", output: "12" },
    ...NONE,
    results: ["f1"],
  },
  ...["computer", "shell", "local_shell", "apply_patch", "custom_tool"].flatMap((tool): Shape[] => [
    {
      shape: `Responses ${tool} call`,
      message: { role: "assistant", item: { type: `${tool}_call`, id: "i1", call_id: "x1" } },
      ...NONE,
      calls: ["x1"],
    },
    {
      shape: `Responses ${tool} output`,
      message: { role: "tool", item: { type: `${tool}_call_output`, call_id: "x1", output: "ok" } },
      ...NONE,
      results: ["x1"],
    },
  ]),
  {
    shape: "Responses local shell output that spells its call id `id`",
    message: { role: "tool", item: { type: "local_shell_call_output", id: "x1", output: "ok" } },
    ...NONE,
    results: ["x1"],
  },
  {
    shape: "Responses client-run tool search",
    message: { role: "assistant", item: { type: "tool_search_call", call_id: "s1", arguments: {} } },
    ...NONE,
    calls: ["s1"],
  },
  {
    shape: "Responses output of a client-run tool search",
    message: { role: "tool", item: { type: "tool_search_output", call_id: "s1", tools: [] } },
    ...NONE,
    results: ["s1"],
  },
  ...[
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
  ].map(
    (type): Shape => ({
      shape: `Responses hosted ${type}: no call id, no link`,
      message: { role: "assistant", item: { type, id: "ws_1", status: "completed" } },
      ...NONE,
    }),
  ),
  {
    shape: "Responses server-run tool search: a null call id is none",
    message: { role: "assistant", item: { type: "tool_search_call", id: "t1", call_id: null } },
    ...NONE,
  },
  {
    shape: "Responses reasoning item",
    message: {
      role: "assistant",
      item: { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Thinking." }] },
    },
    ...NONE,
  },
];
