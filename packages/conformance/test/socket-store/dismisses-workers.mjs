/** Dismisses workers as they are in different states, tells which processes they were, and ends. */
import { WorkerProcess } from "../../dist/multi-process/worker-process.js";

const how = JSON.parse(process.argv[2] ?? "null");
const told = [];
const start = (name) => WorkerProcess.start(name, how, (event) => told.push(event.process));

const idle = await start("idle");
await idle.do({ do: "hold", session: "s", turnId: "t", ttlMs: 60_000, waitMs: 0 });
await idle.dismiss();

const busy = await start("busy");
const held = await busy.do({ do: "write-held", messageId: "m" }).catch((error) => error.message);
const before = new Set(told.splice(0));
await busy.do({ do: "append", sessions: ["s"], prefix: "busy", count: 1 });
const after = new Set(told);
busy.begin({ do: "append-forever", session: "s", prefix: "busy-still" });
await busy.dismiss();

const paused = await start("paused");
await paused.pause();
await paused.dismiss();

const killed = await start("killed");
await killed.kill();
await killed.dismiss();

const last = await start("last");
await last.dismiss();

const pids = Object.fromEntries([idle, busy, paused, killed, last].map(({ name, pid }) => [name, pid]));
console.log(JSON.stringify({ pids, held, told: { before: [...before], after: [...after] } }));
