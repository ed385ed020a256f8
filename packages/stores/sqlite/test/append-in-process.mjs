/** Appends as fast as it can, and tells how long its event loop and its slowest call took. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openSqliteStore } from "@sessions/sqlite";

const { path, name, count, sessions } = JSON.parse(process.argv[2]);
const store = await openSqliteStore({ path });
await store.sessionExists("warm");
process.send("ready");
await new Promise((resolve) => process.once("message", resolve));
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
let slowest = 0;
for (let index = 0; index < count; index++) {
  const began = performance.now();
  const session = sessions[index % sessions.length];
  await store.addMessage(session, { id: `${name}-${index}`, role: "user", content: "hello" });
  slowest = Math.max(slowest, performance.now() - began);
}
delays.disable();
process.send({ slowestMs: Math.round(slowest), longestDelayMs: Math.round(delays.max / 1e6) });
await store.close();
process.disconnect();
