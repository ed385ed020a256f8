/** Starts two workers, pauses one of them, prints their process ids, and waits to be killed. */
import { WorkerProcess } from "../../dist/multi-process/worker-process.js";

const how = JSON.parse(process.argv[2] ?? "null");
const record = () => undefined;
const busy = await WorkerProcess.start("busy", how, record);
const paused = await WorkerProcess.start("paused", how, record);
busy.begin({ do: "append-forever", session: "s", prefix: "busy" });
await paused.pause();
console.log(JSON.stringify([busy.pid, paused.pid]));
setInterval(() => undefined, 1000);
