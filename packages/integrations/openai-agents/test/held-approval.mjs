import { setTracingDisabled } from "@openai/agents";
import { openaiRuns } from "@sessions/openai-agents";
import { openStore } from "test-tools/open-store";
import { answers, asksToPay, payingAgent } from "./paying-agent.mjs";

/** Runs an agent until it stops for an approval (`ask`), or holds it before that (`hold`), or resumes that run and holds its tool after the payment (`resume`). */
const { place, file, ttlMs, step } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
setTracingDisabled(true);
process.stdin.on("end", () => process.exit(0)).resume();

const hold = async () => {
  say({ paid: true });
  await new Promise(() => undefined);
};
const steps = step === "ask" ? [asksToPay(5, "c1")] : [answers("It is paid.")];
const { agent } = payingAgent(file, steps, hold);
const holding = async () => {
  say({ asked: true });
  await new Promise(() => undefined);
};
if (step === "hold") agent.model = { getResponse: holding, getStreamedResponse: holding };
const runs = openaiRuns(await openStore(place), "s", agent, { ttlMs, owner: step });
if (step === "hold") await runs.run("Pay.", { turnId: "t1" });
else if (step === "ask") say({ waiting: (await runs.run("Pay.", { turnId: "t1" })).waiting });
else await runs.resume();
