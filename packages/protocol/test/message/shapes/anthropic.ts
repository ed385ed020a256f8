import { NONE, type Shape } from "./shape.js";

/** Anthropic's messages. */
export const anthropicShapes: readonly Shape[] = [
  {
    shape: "Anthropic thinking, text and tool use",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Ghent" } },
      ],
    },
    text: "Let me look.",
    calls: ["toolu_1"],
    results: [],
  },
  {
    shape: "Anthropic tool results, which have the user's role",
    message: {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "12" }] },
        { type: "tool_result", tool_use_id: "toolu_2", content: "down", is_error: true },
      ],
    },
    ...NONE,
    results: ["toolu_1", "toolu_2"],
  },
  {
    shape: "Anthropic server tool and its result in one message",
    message: {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
        { type: "text", text: "Found it." },
      ],
    },
    text: "Found it.",
    calls: ["srvtoolu_1"],
    results: ["srvtoolu_1"],
  },
  {
    shape: "Anthropic MCP tool and its result",
    message: {
      role: "assistant",
      content: [
        { type: "mcp_tool_use", id: "mcptoolu_1", name: "n", server_name: "s", input: {} },
        { type: "mcp_tool_result", tool_use_id: "mcptoolu_1", is_error: false, content: "ok" },
      ],
    },
    ...NONE,
    calls: ["mcptoolu_1"],
    results: ["mcptoolu_1"],
  },
];
