import { OpenAIResponsesCompactionSession, setTracingDisabled } from "@openai/agents";
import { openaiSession } from "@sessions/openai-agents";
import { openStore } from "test-tools/open-store";

/** Compacts a session, and pauses between the clearing and the writing. Prints a line when it pauses. */
const { place, sessionId, onClear } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
setTracingDisabled(true);
process.stdin.on("end", () => process.exit(0)).resume();

const underlyingSession = openaiSession(await openStore(place), sessionId, { onClear });
underlyingSession.addItems = () => {
  say({ cleared: true });
  return new Promise(() => undefined);
};
const session = new OpenAIResponsesCompactionSession({
  underlyingSession,
  model: "gpt-5",
  compactionMode: "input",
});
await session.runCompaction({ force: true });
