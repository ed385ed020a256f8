import { createInterface } from "node:readline";
import { openStore } from "@sessions/config";
import { createManagedAgent } from "@sessions/managed-agent";

const store = await openStore(); // as SESSIONS_STORE says: sqlite:./chat.db or redis://localhost:6379
const agent = createManagedAgent({
  store,
  sessionId: "my-chat",
  config: {},
  ttlMs: 2000, // how long a killed process holds the chat
  queue: { waitMs: 10_000 },
  async *runner({ messages }) {
    const answer = `Message ${messages.length}: ${messages.at(-1).content}`; // call your model here
    yield { type: "text-delta", text: answer };
  },
});
for await (const line of createInterface({ input: process.stdin })) {
  console.log((await agent.execute(line)).text);
}
await store.close();
