import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { calls, says, stops } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

const source = fileURLToPath(new URL("../src", import.meta.url));

/** What every browser, worker and edge runtime has; nothing of Node's. */
function webGlobals(): Record<string, unknown> {
  return {
    AbortController,
    AbortSignal,
    Headers,
    TextDecoder,
    TextEncoder,
    URL,
    clearTimeout,
    crypto: globalThis.crypto,
    fetch,
    performance: globalThis.performance,
    setTimeout: (callback: () => void, ms: number) => Number(setTimeout(callback, ms)),
  };
}

const program = (baseURL: string): string => `
import { openaiCompatibleRunner } from "./index.js";
const tools = { add: { execute: ({ a, b }) => a + b } };
const runner = openaiCompatibleRunner({ baseURL: ${JSON.stringify(baseURL)}, model: "test-model", tools });
const turn = {
  sessionId: "s", turnId: "t", config: {}, state: {}, signal: new AbortController().signal,
  context: { tokens: 1, omitted: { archiveIds: [], messages: 0 } },
  messages: [{ id: "m", role: "user", content: "What is 1 + 2?", createdAt: 0 }],
};
globalThis.result = (async () => {
  const events = [];
  for await (const event of runner(turn)) events.push(event);
  return JSON.stringify(events);
})();
`;

test("the runner is bundled for a worker and runs with web globals only", async () => {
  await using server = await ScriptedServer.start(
    streamed(calls(0, "call_a", "add", '{"a":1,"b":2}'), stops("tool_calls")),
    streamed(says("3"), stops()),
  );
  const { outputFiles, metafile } = await build({
    stdin: { contents: program(server.baseURL), resolveDir: source, loader: "js" },
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["worker", "workerd", "edge-light"],
    target: "es2023",
  });
  const outside = Object.values(metafile.inputs).flatMap((input) =>
    input.imports.filter((one) => one.external === true),
  );
  expect(outside).toEqual([]);
  const context = vm.createContext(webGlobals());
  vm.runInContext(outputFiles[0]?.text ?? "", context);
  const events: unknown = JSON.parse(await vm.runInContext("globalThis.result", context));
  expect(events).toEqual([
    { type: "tool-call", toolCallId: "call_a", toolName: "add", input: { a: 1, b: 2 } },
    { type: "tool-result", toolCallId: "call_a", toolName: "add", output: 3 },
    { type: "text-delta", text: "3" },
  ]);
});
