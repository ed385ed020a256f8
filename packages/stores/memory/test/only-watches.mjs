import { openMemoryStore } from "@sessions/memory";

/** Waits for a change that comes from a timer which keeps no process alive. */
const store = openMemoryStore();
setTimeout(() => void store.createSession("s"), 100).unref();
for await (const { sessionId } of store.watch()) {
  console.log(sessionId);
  break;
}
