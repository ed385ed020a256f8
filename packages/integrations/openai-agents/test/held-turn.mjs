import { setTracingDisabled } from "@openai/agents";
import { createManagedAgent } from "@sessions/managed-agent";
import { openaiAgentsRunner } from "@sessions/openai-agents";
import { openStore } from "test-tools/open-store";
import { askingAgent } from "./scripted-agent.mjs";

/** Runs a turn whose second tool never answers, and says when it waits for it. */
const { place, sessionId } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
setTracingDisabled(true);
process.stdin.on("end", () => process.exit(0)).resume();

const store = await openStore(place);
const hold = (a) => (a === 2 ? new Promise(() => undefined) : undefined);
const runner = openaiAgentsRunner(askingAgent("held", hold));
const agent = createManagedAgent({ store, sessionId, config: { name: "adder" }, runner, ttlMs: 3000 });
for await (const event of agent.stream("question held", { turnId: "t1" })) say({ event });
