import { describe, expect, test } from "vitest";
import type { Tool } from "../src/index.js";
import { answer } from "./answering.js";
import { calls, says, stops, withDelta } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

const echo: Tool = { execute: (input) => input };

describe("tool calls of endpoints that deviate from OpenAI", () => {
  const inOne = (...fragments: readonly object[]): object => withDelta({ tool_calls: fragments });
  const called = (name: string, args: string): object => ({ name, arguments: args });

  test.each<[string, readonly object[]]>([
    [
      "fragments under index 0, told apart by their ids",
      [
        inOne({ index: 0, id: "call_a", function: called("echo", '{"a":') }),
        inOne({ index: 0, function: { arguments: "1}" } }),
        inOne({ index: 0, id: "call_b", function: called("echo", '{"b":2}') }),
      ],
    ],
    [
      "fragments without an index",
      [
        inOne({ id: "call_a", function: called("echo", '{"a":1}') }),
        inOne({ id: "call_b", function: called("echo", '{"b":') }),
        inOne({ function: { arguments: "2}" } }),
      ],
    ],
    [
      "fragments that repeat id and name",
      [
        inOne({ index: 0, id: "call_a", function: called("echo", '{"a"') }),
        inOne({ index: 1, id: "call_b", function: called("echo", '{"b"') }),
        inOne({ index: 0, id: "call_a", function: called("echo", ":1}") }),
        inOne({ index: 1, id: "call_b", function: called("echo", ":2}") }),
      ],
    ],
    [
      "further fragments with an empty id, and finish_reason stop",
      [
        inOne(
          { index: 0, id: "call_a", function: called("echo", "") },
          { index: 1, id: "call_b", function: called("echo", "") },
        ),
        inOne({ index: 0, id: "", function: { name: "", arguments: '{"a":1}' } }),
        inOne({ index: 1, id: "", function: { name: null, arguments: '{"b":2}' } }),
      ],
    ],
  ])("parallel calls are assembled from %s", async (_, chunks) => {
    await using server = await ScriptedServer.start(
      streamed(...chunks, stops()),
      streamed(says("ok"), stops()),
    );
    const { events, error } = await answer({ baseURL: server.baseURL, tools: { echo } });
    expect(error).toBeUndefined();
    expect(events.filter(({ type }) => type === "tool-call")).toMatchObject([
      { toolCallId: "call_a", toolName: "echo", input: { a: 1 } },
      { toolCallId: "call_b", toolName: "echo", input: { b: 2 } },
    ]);
    expect(server.refusals).toEqual([]);
  });

  test("a call id that is missing or used before is replaced", async () => {
    const same = streamed(
      inOne(
        { index: 0, id: "call_0", function: called("echo", "{}") },
        { index: 1, function: called("echo", "{}") },
      ),
      stops("tool_calls"),
    );
    await using server = await ScriptedServer.start(same, same, streamed(says("ok"), stops()));
    const { events, error } = await answer({ baseURL: server.baseURL, tools: { echo } });
    expect(error).toBeUndefined();
    const ids = events.flatMap((event) => (event.type === "tool-call" ? [event.toolCallId] : []));
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toBe("call_0");
    expect(server.refusals).toEqual([]);
  });

  test("a call with an invalid tool name or none leaves the history valid", async () => {
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "functions.echo(now)"), calls(1, "call_b", ""), stops("tool_calls")),
      streamed(says("ok"), stops()),
    );
    const { error, events } = await answer({ baseURL: server.baseURL, tools: { echo } });
    expect(error).toBeUndefined();
    expect(events[0]).toMatchObject({ type: "tool-call", toolName: "functions.echo(now)" });
    expect(server.bodies[1]?.messages.at(-1)).toMatchObject({
      content: 'Error: There is no tool "unnamed". There are: echo.',
    });
    expect(server.refusals).toEqual([]);
  });
});
