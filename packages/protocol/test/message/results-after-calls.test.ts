import { describe, expect, test } from "vitest";
import type { JsonObject, Message } from "../../src/index.js";
import { resultsAfterCalls } from "../../src/index.js";

/** "u1" is a user's message, "a1" an assistant's text, "i1" an OpenAI item, "c1" a call, "r1" its result. */
function conversation(...names: readonly string[]): readonly Message[] {
  return names.map((id) => ({ id, createdAt: 0, ...bodyOf(id) }));
}

function bodyOf(id: string): Pick<Message, "role" | "content"> & { readonly item?: JsonObject } {
  const toolCallId = id.slice(1);
  if (id.startsWith("c"))
    return { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: "t", input: {} }] };
  if (id.startsWith("r"))
    return {
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName: "t", output: { type: "text", value: "1" } }],
    };
  if (id.startsWith("i")) return { role: "assistant", item: { type: "reasoning", content: [] } };
  return { role: id.startsWith("u") ? "user" : "assistant", content: id };
}

describe("resultsAfterCalls", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["a message while a tool ran comes after its result", ["c1", "u1", "r1", "a1"], ["c1", "r1", "u1", "a1"]],
    ["parallel calls stay as they are", ["c1", "c2", "r1", "r2"], ["c1", "c2", "r1", "r2"]],
    [
      "a message between parallel results comes after both",
      ["c1", "c2", "r2", "u1", "r1"],
      ["c1", "c2", "r2", "r1", "u1"],
    ],
    ["what an assistant said elsewhere comes after the result", ["c1", "a1", "r1"], ["c1", "r1", "a1"]],
    ["an item that the model wrote between stays there", ["c1", "i1", "r1"], ["c1", "i1", "r1"]],
    [
      "a whole other exchange comes after the result, itself in order",
      ["c1", "u1", "c2", "u2", "r2", "a1", "r1", "a2"],
      ["c1", "r1", "u1", "c2", "r2", "u2", "a1", "a2"],
    ],
    ["a call that nobody answers holds nothing back", ["c1", "u1", "a1"], ["c1", "u1", "a1"]],
    ["a result without its call stays where it is", ["u1", "r1", "u2"], ["u1", "r1", "u2"]],
  ])("%s", (_what, names, expected) => {
    expect(resultsAfterCalls(conversation(...names)).map(({ id }) => id)).toEqual(expected);
  });
});
