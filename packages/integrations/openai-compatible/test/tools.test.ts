import type { JsonObject } from "@sessions/protocol";
import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiCompatibleRunner, type Tool, type ToolContext } from "../src/index.js";
import { answer, endpointError, turnOf } from "./answering.js";
import { calls, more, says, stops } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

const echo: Tool = { description: "Says it again.", execute: (input) => input };

/** The contents of the tool messages of a request. */
function results(
  body: { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] } | undefined,
): unknown[] {
  return (body?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);
}

describe("tools", () => {
  test("a tool changes the agent's state, and later tools see the change", async () => {
    const seen: JsonObject[] = [];
    const count: Tool = {
      execute: (_input, { state, setState }) => {
        seen.push(state);
        setState({ count: Number(state["count"] ?? 0) + 1, old: null });
        return "counted";
      },
    };
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "count", "{}"), stops("tool_calls")),
      streamed(calls(0, "call_b", "count", "{}"), stops("tool_calls")),
      streamed(says("Twice."), stops()),
    );
    const { events } = await answer({ baseURL: server.baseURL, tools: { count } }, { state: { old: true } });
    expect(seen).toEqual([{ old: true }, { count: 1 }]);
    expect(events.filter(({ type }) => type === "state")).toEqual([
      { type: "state", patch: { count: 1, old: null } },
      { type: "state", patch: { count: 2, old: null } },
    ]);
  });

  test("a tool that sets invalid state gets an error, and nothing changes", async () => {
    const wrong: Tool = { execute: (_input, { setState }) => setState(JSON.parse("[1]")) };
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "wrong", "{}"), stops("tool_calls")),
      streamed(says("Oh."), stops()),
    );
    const { events } = await answer({ baseURL: server.baseURL, tools: { wrong } });
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({ isError: true });
    expect(events.some(({ type }) => type === "state")).toBe(false);
  });

  test("tools are offered, called with their input and their turn, and their results are sent", async () => {
    const seen: { input: JsonObject; context: ToolContext }[] = [];
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const weather: Tool = {
      description: "The weather in a city.",
      parameters,
      execute: async (input, context) => {
        seen.push({ input, context });
        return { degrees: 12, at: new Date(0) };
      },
    };
    await using server = await ScriptedServer.start(
      streamed(
        says("Let me look."),
        calls(0, "call_a", "weather", '{"ci'),
        more(0, 'ty":"Ghent"}'),
        stops("tool_calls"),
      ),
      streamed(says("12 degrees."), stops()),
    );
    const { events, error } = await answer(
      { baseURL: server.baseURL, tools: { weather, echo } },
      { state: { unit: "celsius" } },
    );
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: "text-delta", text: "Let me look." },
      { type: "tool-call", toolCallId: "call_a", toolName: "weather", input: { city: "Ghent" } },
      {
        type: "tool-result",
        toolCallId: "call_a",
        toolName: "weather",
        output: { degrees: 12, at: "1970-01-01T00:00:00.000Z" },
      },
      { type: "text-delta", text: "12 degrees." },
    ]);
    expect(seen).toMatchObject([
      {
        input: { city: "Ghent" },
        context: {
          toolCallId: "call_a",
          sessionId: "session-1",
          turnId: "turn-1",
          state: { unit: "celsius" },
        },
      },
    ]);
    expect(server.bodies[0]?.tools).toEqual([
      { type: "function", function: { name: "weather", description: "The weather in a city.", parameters } },
      {
        type: "function",
        function: {
          name: "echo",
          description: "Says it again.",
          parameters: { type: "object", properties: {} },
        },
      },
    ]);
    expect(server.bodies[1]?.messages).toEqual([
      { role: "user", content: "Hello." },
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          { id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Ghent"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_a", content: '{"degrees":12,"at":"1970-01-01T00:00:00.000Z"}' },
    ]);
    expect(server.refusals).toEqual([]);
  });

  test("parallel tool calls run concurrently, and each result is yielded as it comes", async () => {
    const slow = new Gate();
    const both = new Gate();
    let running = 0;
    const start = (): void => {
      if (++running === 2) both.open();
    };
    const tools: Record<string, Tool> = {
      slow: {
        execute: async () => {
          start();
          await slow.passed;
          return "slow";
        },
      },
      fast: {
        execute: async () => {
          start();
          await both.passed;
          return "fast";
        },
      },
    };
    await using server = await ScriptedServer.start(
      // Fragments of two calls, mixed.
      streamed(
        calls(0, "call_a", "slow", '{"n'),
        calls(1, "call_b", "fast"),
        more(0, '":1'),
        more(1, "{}"),
        more(0, "}"),
        stops("tool_calls"),
      ),
      streamed(says("Done."), stops()),
    );
    const told: string[] = [];
    for await (const event of openaiCompatibleRunner({ baseURL: server.baseURL, tools })(turnOf())) {
      told.push(event.type === "tool-result" ? `${event.type} ${event.toolName}` : event.type);
      // The slow tool ends only after the result of the fast one was yielded.
      if (event.type === "tool-result") slow.open();
    }
    expect(told).toEqual(["tool-call", "tool-call", "tool-result fast", "tool-result slow", "text-delta"]);
    expect(server.bodies[1]?.messages.slice(-3)).toMatchObject([
      { tool_calls: [{ id: "call_a", function: { arguments: '{"n":1}' } }, { id: "call_b" }] },
      { tool_call_id: "call_a", content: "slow" },
      { tool_call_id: "call_b", content: "fast" },
    ]);
    expect(server.refusals).toEqual([]);
  });

  test("no tool runs before the consumer has taken all calls", async () => {
    let ran = 0;
    const tool: Tool = { execute: () => ++ran };
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "tool"), calls(1, "call_b", "tool"), stops("tool_calls")),
      streamed(stops()),
    );
    const ranAtCall: number[] = [];
    for await (const event of openaiCompatibleRunner({ baseURL: server.baseURL, tools: { tool } })(
      turnOf(),
    )) {
      if (event.type === "tool-call") ranAtCall.push(ran);
    }
    expect({ ranAtCall, ran }).toEqual({ ranAtCall: [0, 0], ran: 2 });
  });

  test("a tool that throws, gets malformed arguments or does not exist gives an error result, and the turn goes on", async () => {
    const thrown = ["a word", { reason: "a thing" }, new Error("a message")];
    const fail: Tool = {
      execute: () => {
        throw thrown.shift();
      },
    };
    const asked = ["fail", "fail", "fail", "echo", "echo", "unknown", "constructor"];
    const args = ["{}", "", " ", '{"half":', "[1]", "{}", "{}"];
    await using server = await ScriptedServer.start(
      streamed(
        ...asked.map((name, index) => calls(index, `call_${index}`, name, args[index])),
        stops("tool_calls"),
      ),
      streamed(says("I see."), stops()),
    );
    const { events, text, error } = await answer({ baseURL: server.baseURL, tools: { fail, echo } });
    expect({ text, error }).toEqual({ text: "I see.", error: undefined });
    const answers = events.filter((event) => event.type === "tool-result");
    expect(answers).toHaveLength(7);
    expect(answers.every(({ isError }) => isError === true)).toBe(true);
    expect(results(server.bodies[1])).toEqual([
      "Error: a word",
      'Error: {"reason":"a thing"}',
      "Error: a message",
      expect.stringMatching(/^Error: The arguments must be a JSON object: .*\. Call the tool again\.$/),
      "Error: The arguments must be a JSON object: this is no JSON object. Call the tool again.",
      'Error: There is no tool "unknown". There are: fail, echo.',
      'Error: There is no tool "constructor". There are: fail, echo.',
    ]);
    expect(events.find((event) => event.type === "tool-call" && event.toolCallId === "call_3")).toMatchObject(
      {
        input: '{"half":',
      },
    );
    expect(server.refusals).toEqual([]);
  });

  test("tools that the config does not allow are neither offered nor run", async () => {
    let ran = false;
    const forbidden: Tool = {
      execute: () => {
        ran = true;
      },
    };
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "forbidden"), calls(1, "call_b", "echo"), stops("tool_calls")),
      streamed(says("Well."), stops()),
    );
    const config = { model: "test-model", tools: ["echo", "not there"] };
    await answer({ baseURL: server.baseURL, tools: { echo, forbidden } }, { config });
    expect(ran).toBe(false);
    expect(server.bodies[0]?.tools?.map((tool) => tool.function.name)).toEqual(["echo"]);
    expect(results(server.bodies[1])).toEqual([
      'Error: There is no tool "forbidden". There are: echo.',
      "{}",
    ]);
  });

  test("an empty list in the config allows no tools", async () => {
    await using server = await ScriptedServer.start(streamed(stops()));
    await answer(
      { baseURL: server.baseURL, tools: { echo } },
      { config: { model: "test-model", tools: [] } },
    );
    expect(server.bodies[0]).not.toHaveProperty("tools");
  });

  test("a tool that returns nothing returns null", async () => {
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "quiet"), stops("tool_calls")),
      streamed(stops()),
    );
    const { events } = await answer({
      baseURL: server.baseURL,
      tools: { quiet: { execute: () => undefined } },
    });
    expect(events[1]).toEqual({ type: "tool-result", toolCallId: "call_a", toolName: "quiet", output: null });
  });

  test("at maxSteps the last calls get error results and are not run", async () => {
    let ran = 0;
    const again: Tool = { execute: () => ++ran };
    const step = (index: number): ReturnType<typeof streamed> =>
      streamed(calls(0, `call_${index}`, "again"), stops("tool_calls"));
    await using server = await ScriptedServer.start(step(0), step(1), step(2));
    const told = await answer({ baseURL: server.baseURL, tools: { again }, maxSteps: 2 });
    expect(endpointError(told)).toMatchObject({ code: "STEP_LIMIT", retryable: false });
    expect(endpointError(told).message).toMatch(/asked 2 times .*maxSteps/);
    expect(told.events.at(-1)).toMatchObject({ type: "tool-result", toolCallId: "call_1", isError: true });
    expect({ ran, left: server.left }).toEqual({ ran: 1, left: 1 });
  });

  test("tool calls that the output limit cuts off are neither run nor yielded", async () => {
    let ran = false;
    const tool: Tool = {
      execute: () => {
        ran = true;
      },
    };
    await using server = await ScriptedServer.start(
      streamed(says("I will."), calls(0, "call_a", "tool", '{"amount": 10'), stops("length")),
    );
    const told = await answer({ baseURL: server.baseURL, tools: { tool } });
    expect(endpointError(told).code).toBe("OUTPUT_LIMIT");
    expect({ types: told.events.map(({ type }) => type), ran }).toEqual({
      types: ["text-delta"],
      ran: false,
    });
  });
});
