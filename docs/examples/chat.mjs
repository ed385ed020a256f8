import { createInterface } from "node:readline";
import { openStore } from "@sessions/config";
import { createManagedAgent } from "@sessions/managed-agent";

const store = await openStore(); // as SESSIONS_STORE says: sqlite:./chat.db or redis://localhost:6379
const agent = createManagedAgent({
  store,
  sessionId: "my-chat",
  config: { name: "assistant" },
  async *runner({ messages }) {
    yield {
      type: "text-delta",
      text: `You wrote "${messages.at(-1).content}" as message ${messages.length}.`,
    };
  },
});
for await (const line of createInterface({ input: process.stdin })) {
  for await (const event of agent.stream(line))
    if (event.type === "text-delta") process.stdout.write(event.text);
  console.log();
}
await store.close();
