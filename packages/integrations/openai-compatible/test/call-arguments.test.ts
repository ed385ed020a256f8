import { expect, test } from "vitest";
import { argumentsText, parseArguments } from "../src/tools/call-arguments.js";
import { answer } from "./answering.js";
import { calls, says, stops } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

const nested = (depth: number): string => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;

test("arguments nested 20 000 levels deep get an error result, and the turn goes on", async () => {
  await using server = await ScriptedServer.start(
    streamed(calls(0, "call_a", "echo", nested(20_000)), stops("tool_calls")),
    streamed(says("I see."), stops()),
  );
  const tools = { echo: { execute: (input: unknown) => input } };
  const { text, error } = await answer({ baseURL: server.baseURL, tools });
  expect([text, error]).toEqual(["I see.", undefined]);
  const [result] = server.bodies[1]?.messages.filter(({ role }) => role === "tool") ?? [];
  expect(result?.content).toContain("must be a JSON object: this is nested too deeply");
});

test("arguments nested as deep as the limit are passed to the tool unchanged", () => {
  const { input, problem } = parseArguments(nested(399));
  expect([argumentsText(input), problem]).toEqual([nested(399), undefined]);
  expect(parseArguments(nested(400)).problem).toBe("this is nested too deeply");
});
