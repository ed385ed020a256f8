import { run, setTracingDisabled } from "@openai/agents";
import { openaiSession } from "@sessions/openai-agents";
import { openStore } from "test-tools/open-store";
import { askingAgent } from "./scripted-agent.mjs";

/** Runs an agent of the SDK whose second tool never answers, and says when it waits for it. */
const { place, sessionId } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
setTracingDisabled(true);
process.stdin.on("end", () => process.exit(0)).resume();

const session = openaiSession(await openStore(place), sessionId);
await run(askingAgent("before"), "question before", { session });
const hold = async (a) => {
  if (a === 1) return;
  say({ holds: true });
  await new Promise(() => undefined);
};
await run(askingAgent("held", hold), "question held", { session });
