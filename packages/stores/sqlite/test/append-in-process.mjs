/** Appends as fast as it can. Tells when its event loop has gone on beside that, and how long it was kept from it. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openSqliteStore } from "@sessions/sqlite";
import Database from "better-sqlite3";
import { ownBlocks, turns } from "./own-block.mjs";

const { path, name, count, sessions, busyTimeoutMs, spinMs = 0 } = JSON.parse(process.argv[2]);
const database = new Database(path);
const store = await openSqliteStore({ database });
if (busyTimeoutMs !== undefined) database.pragma(`busy_timeout = ${busyTimeoutMs}`);
// What runs for the first time is compiled first.
for (let times = 0; times < 100; times++)
  await store.addMessage(`warm-up of ${name}`, { role: "user", content: "hello" });
process.send("ready");
await new Promise((resolve) => process.once("message", resolve));
const blocks = ownBlocks();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const wentOn = turns(20).then(() => process.send("went on"));
let slowest = 0;
for (let index = 0; index < count; index++) {
  const began = performance.now();
  const session = sessions[index % sessions.length];
  await store.addMessage(session, { id: `${name}-${index}`, role: "user", content: "hello" });
  slowest = Math.max(slowest, performance.now() - began);
}
const { user: before } = process.cpuUsage();
while (process.cpuUsage().user - before < spinMs * 1000);
delay.disable();
process.send({
  slowestMs: Math.round(slowest),
  longestDelayMs: Math.round(delay.max / 1e6),
  longestBlockMs: Math.round(blocks.stop()),
});
await wentOn; // it may have been done before
await store.close();
database.close();
process.disconnect();
