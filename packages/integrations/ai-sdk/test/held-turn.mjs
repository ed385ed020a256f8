import { aiSdkRunner } from "@sessions/ai-sdk";
import { createManagedAgent } from "@sessions/managed-agent";
import { tool } from "ai";
import { openStore } from "test-tools/open-store";
import { z } from "zod";
import { calling, scriptedModel } from "./scripted-model.mjs";

/** Runs a turn with two calls at once, of which the second is never answered. Says what happens. */
const { place, sessionId } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
process.stdin.on("end", () => process.exit(0)).resume();

const store = await openStore(place);
const add = tool({
  description: "Adds.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => {
    if (a === 1) return a + b;
    setTimeout(() => say({ waits: true }), 100); // the other one has answered long before
    return new Promise(() => undefined);
  },
});
const model = scriptedModel([calling(["c1", "add", { a: 1, b: 2 }], ["c2", "add", { a: 2, b: 2 }])]);
const runner = aiSdkRunner({ model, tools: { add } });
const agent = createManagedAgent({ store, sessionId, config: {}, runner, ttlMs: 3000 });
for await (const event of agent.stream("Add.", { turnId: "t1" })) say({ event });
