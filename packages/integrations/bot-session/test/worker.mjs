import { createInterface } from "node:readline";
import { createBotSession } from "@sessions/bot-session";
import { openStore } from "test-tools/open-store";

/**
 * A worker of a bot. It prints what happens. A line on its input is an update, or lets a paused turn continue. It answers after
 * `paceMs`, and pauses during an update whose text is "hold".
 */
const { where, paceMs = 0, ...options } = JSON.parse(process.argv[2]);

const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
let goOn = () => undefined;
const told = new Promise((resolve) => {
  goOn = resolve;
});

async function* respond({ update, messages, turnId }) {
  say({ runs: update.id, turnId });
  yield { type: "text-delta", text: `to ${update.text}` };
  if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
  if (update.text.includes("hold")) {
    say({ holds: update.id });
    await told;
  }
  yield { type: "text-delta", text: ` (${messages.length})` };
}

const store = await openStore(where);
const bot = createBotSession({ store, platform: "test", scope: "user", respond, ...options });

async function handle(update) {
  try {
    const { reply, outcome, duplicate } = await bot.handle(update);
    say({ id: update.id, outcome, reply, duplicate });
  } catch (error) {
    say({ id: update.id, error: error.code ?? error.message });
  }
}

const input = createInterface({ input: process.stdin });
input.on("line", (line) => (line === "go on" ? goOn() : void handle(JSON.parse(line))));
input.on("close", () => process.exit(0));
say({ ready: true });
