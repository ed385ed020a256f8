import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolLinksOf } from "../../src/message/links/tool-links-of.js";
import { holds } from "./assert-property.js";
import { anyInput } from "./conversations.js";
import { allShapes } from "./shapes/all-shapes.js";

describe("toolLinksOf", () => {
  it.each(allShapes)("reads the links of: $shape", ({ message, calls, results }) => {
    expect(toolLinksOf(message)).toEqual({ calls, results });
  });

  it("lists an id once, however often a message repeats it", () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: "t", input: {} };
    const tool_calls = [{ id: "c1", type: "function" }];
    expect(toolLinksOf({ role: "assistant", content: [call, call], tool_calls }).calls).toEqual(["c1"]);
  });

  it("ignores empty ids and ids that are not strings", () => {
    const content = [
      { type: "tool-call", toolCallId: "", toolName: "t" },
      { type: "tool-result", toolCallId: 7, toolName: "t" },
      { type: "tool_use", id: null },
    ];
    expect(toolLinksOf({ role: "assistant", content })).toEqual({ calls: [], results: [] });
  });

  it("returns strings and does not throw, for any JSON", () => {
    holds(
      fc.property(anyInput(), (message) => {
        const { calls, results } = toolLinksOf(message);
        return [...calls, ...results].every((id) => typeof id === "string" && id !== "");
      }),
    );
  });
});
