/** The program of the audit: `node audit.js <task>`. A fresh process that looks at everything when all is over. */
import { Recorder, sharedClock } from "@sessions/conformance/multi-process";
import { type SessionStore, systemClock } from "@sessions/protocol";
import { resumeWatchers } from "./audit-feeds.js";
import { sortLog } from "./judge/judge.js";
import { LogFile } from "./log/log-file.js";
import type { Audited } from "./log/log-line.js";
import { readLogs } from "./log/read-logs.js";
import type { ChaosStore } from "./stores/chaos-store.js";
import { inWords } from "./tolerable.js";
import { listAll, readAll } from "./work/look.js";
import type { WorkerTask } from "./worker-task.js";

const NAME = "audit";

process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => undefined);

const task: WorkerTask = JSON.parse(process.argv[2] ?? "");
const lines = readLogs(task.logs);
const named = lines.flatMap((line) => (line.type === "invoke" ? [line.session] : []));
const final = new Map<string, number>();
const log = new LogFile(task.logs, NAME);
const write = log.write.bind(log);
const recorder = new Recorder(NAME, write);
const module: ChaosStore = await import(task.store);

function surprise(session: string, error: unknown): void {
  write({ type: "surprise", process: NAME, at: sharedClock(), session, detail: inWords(error) });
}

/** Sessions that were only ever tried to be made may be absent: the read says so, and the log tells whether it may. */
async function audit(store: SessionStore, session: string): Promise<void> {
  await readAll({ store, recorder }, session);
  const found = await store.getSession(session, { messages: "none" });
  if (found === undefined) return;
  const { findings, ok } = await store.verify(session);
  const harm = findings.filter(({ severity }) => severity === "harmful").map(({ detail }) => detail);
  const applied = found.counters["applied"] ?? 0;
  const { revision } = found;
  final.set(session, revision);
  const harmful = ok ? harm : [...harm, "verify says no"];
  write({ type: "audited", session, revision, harm: harmful, applied } satisfies Audited);
}

const store = await module.open(task.data, systemClock);
try {
  const listed = await listAll({ store, write }, NAME);
  for (const session of new Set([...named, ...listed]))
    await audit(store, session).catch((error: unknown) => surprise(session, error));
  if (module.noFeeds === undefined)
    await resumeWatchers(sortLog(lines), final, { store, logs: task.logs, write, tolerates: [] });
} catch (error) {
  surprise("", error);
}
await store.close();
log.close();
process.disconnect?.();
