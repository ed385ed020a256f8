/** A process that does a bit of everything with a store and is killed in the middle: `node writer.mjs <url> <prefix>`. */
import { openRedisStore } from "@sessions/redis";

const [url, prefix] = process.argv.slice(2);
const store = await openRedisStore({ url }, { prefix });
const many = Array.from({ length: 700 }, (_, index) => ({
  id: `m${index}`,
  role: "user",
  content: `message ${index}`,
}));

await store.createSession("made", { labels: { agent: "a" } });
await store.addMessage("appended", { role: "user", content: "hello" });
await store.setChatHistory("made", many);
await store.forkSession("made", { newId: "fork" });
await store.patchSession("made", { labels: { agent: "b" } });
await store.deleteSession("appended");
await store.close();
