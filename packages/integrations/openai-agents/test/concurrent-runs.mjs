import { run, setTracingDisabled } from "@openai/agents";
import { openaiSession } from "@sessions/openai-agents";
import { openStore } from "test-tools/open-store";
import { FileSession } from "./file-session.mjs";
import { askingAgent } from "./scripted-agent.mjs";

/** Runs many agents at once on one session and says how many ended well. */
const { place, sessionId, names, stream } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
setTracingDisabled(true);

const isTwin = place.kind === "file-session";
const store = isTwin ? undefined : await openStore(place);
const session = isTwin ? new FileSession(place.root, sessionId) : openaiSession(store, sessionId);
say({ ready: true });
await new Promise((resolve) => process.stdin.once("data", resolve));

const runs = names.map(async (name) => {
  const result = await run(askingAgent(name), `question ${name}`, { session, stream });
  if (stream) await result.completed;
});
const ended = await Promise.allSettled(runs);
const failed = ended.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
say({ done: true, failed });
await store?.close();
process.stdin.on("end", () => process.exit(0)).resume();
