/** Releases workers that are idle, busy, paused and killed, prints their process ids, and ends. */
import { WorkerProcess } from "../../dist/multi-process/worker-process.js";

const how = JSON.parse(process.argv[2] ?? "null");
const recorded = [];
const start = (name) => WorkerProcess.start(name, how, (event) => recorded.push(event.process));

const idle = await start("idle");
await idle.do({ do: "hold-turn", session: "s", turnId: "t", ttlMs: 60_000, waitMs: 0 });
await idle.release();

const busy = await start("busy");
const writeError = await busy.do({ do: "write-in-turn", messageId: "m" }).catch((error) => error.message);
const before = new Set(recorded.splice(0));
await busy.do({ do: "append", sessions: ["s"], prefix: "busy", count: 1 });
const after = new Set(recorded);
busy.begin({ do: "append-forever", session: "s", prefix: "busy-still" });
await busy.release();

const paused = await start("paused");
await paused.pause();
await paused.release();

const killed = await start("killed");
await killed.kill();
await killed.release();

const last = await start("last");
await last.release();

const pids = Object.fromEntries([idle, busy, paused, killed, last].map(({ name, pid }) => [name, pid]));
console.log(JSON.stringify({ pids, writeError, recordedNames: { before: [...before], after: [...after] } }));
