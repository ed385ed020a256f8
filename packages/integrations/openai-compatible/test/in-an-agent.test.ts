import { createManagedAgent, type ManagedAgent, type Runner } from "@sessions/managed-agent";
import { openMemoryStore } from "@sessions/memory";
import type { JsonObject } from "@sessions/protocol";
import { describe, expect, test } from "vitest";
import { EndpointError, openaiCompatibleRunner, type Tool } from "../src/index.js";
import { calls, says, stops } from "./chunks.js";
import { refused, ScriptedServer, streamed } from "./scripted-server.js";

function agentOf(runner: Runner): ManagedAgent {
  return createManagedAgent({ store: openMemoryStore(), sessionId: "s", config: { model: "m" }, runner });
}

describe("agent state that a tool changes", () => {
  const count: Tool = {
    execute: (_input, { setState }) => {
      setState({ count: 1, old: null });
      return "counted";
    },
  };
  const asks = streamed(calls(0, "call_a", "count", "{}"), stops("tool_calls"));

  test("state that a tool changes is stored with the end of the turn", async () => {
    await using server = await ScriptedServer.start(asks, streamed(says("One."), stops()));
    const agent = agentOf(openaiCompatibleRunner({ baseURL: server.baseURL, tools: { count } }));
    await agent.setState({ old: true, kept: true });
    await agent.execute("Count.");
    expect(await agent.state()).toEqual({ count: 1, kept: true });
  });

  test("state that a tool changes is not stored if the turn fails afterwards", async () => {
    await using server = await ScriptedServer.start(asks, refused(400, "No more."));
    const agent = agentOf(openaiCompatibleRunner({ baseURL: server.baseURL, tools: { count } }));
    await agent.setState({ old: true });
    await expect(agent.execute("Count.")).rejects.toMatchObject({ code: "REQUEST_REFUSED" });
    expect(await agent.state()).toEqual({ old: true });
  });
});

test("a tool gets the object that the model sent, even if it does not match its parameters", async () => {
  const inputs: JsonObject[] = [];
  const weather: Tool = {
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: (input) => {
      inputs.push(input);
      return "rain";
    },
  };
  await using server = await ScriptedServer.start(
    streamed(calls(0, "call_a", "weather", '{"town":7}'), stops("tool_calls")),
    streamed(says("Rain."), stops()),
  );
  await agentOf(openaiCompatibleRunner({ baseURL: server.baseURL, tools: { weather } })).execute("?");
  expect(inputs).toEqual([{ town: 7 }]);
});

test("a partial answer stays in the session, and the error reaches the caller", async () => {
  await using server = await ScriptedServer.start(async (exchange) => {
    await exchange.send(says("Once upon"));
    exchange.end();
  });
  const agent = agentOf(openaiCompatibleRunner({ baseURL: server.baseURL }));
  await expect(agent.execute("A story.")).rejects.toMatchObject({ code: "CUT_OFF" });
  const { messages } = await agent.retrieveSession("s");
  expect(messages.at(-1)).toMatchObject({ content: "Once upon", status: "interrupted" });
});

test("a runner that catches OUTPUT_LIMIT completes its turn with the short answer", async () => {
  await using server = await ScriptedServer.start(streamed(says("Once upon"), stops("length")));
  const runner = openaiCompatibleRunner({ baseURL: server.baseURL, body: { max_tokens: 2 } });
  const agent = agentOf(async function* (turn) {
    try {
      yield* runner(turn);
    } catch (error) {
      if (!EndpointError.is(error, "OUTPUT_LIMIT")) throw error;
    }
  });
  expect((await agent.execute("A story.")).text).toBe("Once upon");
});
