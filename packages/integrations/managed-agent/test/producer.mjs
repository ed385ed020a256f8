import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { openJsonFileStore } from "@sessions/json-file";
import { createManagedAgent } from "@sessions/managed-agent";

/**
 * Runs turns of a session and says what happens: each event right before it is emitted, and how each turn ends. A line on
 * its input lets it go on where `holdAt` says.
 */
const { root, sessionId, turnIds, script, paceMs, holdAt, ...options } = JSON.parse(process.argv[2]);

const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
const input = createInterface({ input: process.stdin });
input.on("close", () => process.exit(0));
const told = new Promise((resolve) => input.once("line", resolve));

async function* runner({ signal }) {
  for (const [index, event] of script.entries()) {
    if (index === holdAt) {
      say({ holds: index });
      await told;
    }
    signal.throwIfAborted();
    say({ event, index });
    yield event;
    if (paceMs > 0) await pause(paceMs);
  }
}

const store = await openJsonFileStore({ root, durability: "relaxed" });
const agent = createManagedAgent({ store, runner, sessionId, config: { name: "producer" }, ...options });
say({ ready: true });
for (const turnId of turnIds) {
  try {
    const { text, duplicate } = await agent.execute(`Question of ${turnId}`, { turnId });
    say({ turnId, ended: "completed", text, duplicate });
  } catch (error) {
    say({ turnId, ended: error.code ?? error.message, reason: error.reason });
  }
}
say({ done: true });
