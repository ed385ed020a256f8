import { createManagedAgent } from "@sessions/managed-agent";
import { tool } from "ai";
import { memoryPlace, OtherProcess, sharedPlace, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { aiSdkRunner } from "../src/index.js";
import { saying, scriptedModel } from "./scripted-model.mjs";

const PNG = "iVBORw0KGgo=";
/** The answer of a model whose provider runs a search itself. */
const STEP = [
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "Hm." },
  { type: "reasoning-end", id: "r", providerMetadata: { anthropic: { signature: "signed" } } },
  { type: "tool-call", toolCallId: "own", toolName: "web", input: '{"q":"x"}', providerExecuted: true },
  { type: "tool-result", toolCallId: "own", toolName: "web", result: { found: 1 } },
  { type: "file", mediaType: "image/png", data: PNG },
  ...saying("Here it is."),
];
const web = tool({ inputSchema: z.object({ q: z.string() }), outputSchema: z.unknown() });

test.each(storeKinds)(
  "signatures, calls of the provider and files are kept with the answer and sent with the next turn: $name",
  async ({ open }) => {
    const store = await open();
    const model = scriptedModel([STEP, saying("Bye.")]);
    // A new agent for each turn, so that only stored content is used.
    for (const prompt of ["Look.", "Bye."])
      await createManagedAgent({
        store,
        sessionId: "s",
        config: {},
        runner: aiSdkRunner({ model, tools: { web } }),
      }).execute(prompt);
    const [, answer] = model.doStreamCalls[1]?.prompt ?? [];
    expect(answer).toMatchObject({
      role: "assistant",
      content: [
        { type: "reasoning", providerOptions: { anthropic: { signature: "signed" } } },
        { type: "tool-call", toolCallId: "own", providerExecuted: true },
        { type: "tool-result", toolCallId: "own", output: { value: { found: 1 } } },
        { type: "file", mediaType: "image/png" },
        { type: "text", text: "Here it is." },
      ],
    });
    expect(JSON.stringify(answer)).toContain(PNG);
  },
);

test("the model may be a function of the turn, also an async one", async () => {
  const store = await memoryPlace().open();
  const models = { brief: scriptedModel([saying("Yes.")]), long: scriptedModel([saying("Yes, indeed.")]) };
  const texts: string[] = [];
  for (const model of ["brief", "long"] as const) {
    const runner = aiSdkRunner({
      model: async ({ config }) => (config.model === "long" ? models.long : models.brief),
    });
    const agent = createManagedAgent({ store, sessionId: model, config: { model }, runner });
    texts.push((await agent.execute("Is it?")).text);
  }
  expect(texts).toEqual(["Yes.", "Yes, indeed."]);
});

test("a turn that is killed before the last tool of a step has answered, and kept, has error results for all of them", async () => {
  const place = await sharedPlace();
  const killed = new OtherProcess(new URL("./held-turn.mjs", import.meta.url), {
    place: place.where,
    sessionId: "s",
  });
  await killed.until((line) => "waits" in line);
  await killed.kill();
  const store = await place.open();
  const runner = aiSdkRunner({ model: scriptedModel([saying("Sorry.")]) });
  const agent = createManagedAgent({ store, config: {}, runner });
  await agent.resume("s");
  await agent.recover({ strategy: "keep", force: true });
  const results = (await store.getChatHistory("s")).filter(({ role }) => role === "tool");
  expect(results.map(({ content }) => content)).toMatchObject(
    ["c1", "c2"].map((toolCallId) => [{ type: "tool-result", toolCallId, output: { type: "error-text" } }]),
  );
});
