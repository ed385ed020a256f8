import { sharedClock } from "@sessions/conformance/multi-process";
import { type SessionStore, systemClock } from "@sessions/protocol";
import { AUDIT } from "../log/audit-name.js";
import { LogFile } from "../log/log-file.js";
import type { LogLine } from "../log/log-line.js";
import { readLogs } from "../log/read-logs.js";
import type { ChaosStore } from "../stores/chaos-store.js";
import { describeError } from "./expected-errors.js";
import type { WorkerTask } from "./worker-task.js";

/** What an audit works with. */
export interface AuditPlace {
  readonly task: WorkerTask;
  readonly module: ChaosStore;
  readonly store: SessionStore;
  /** The log lines of all workers. */
  readonly lines: readonly LogLine[];
  readonly write: (line: LogLine) => void;
  readonly surprise: (session: string, error: unknown) => void;
}

/** The program of an audit: `node audit.js <task>`. A new process that reads everything after the workers have ended. */
export async function runAudit(audit: (place: AuditPlace) => Promise<void>): Promise<void> {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => undefined);
  const task: WorkerTask = JSON.parse(process.argv[2] ?? "");
  const lines = readLogs(task.logs);
  const log = new LogFile(task.logs, AUDIT);
  const write = log.write.bind(log);
  const surprise = (session: string, error: unknown): void =>
    write({ type: "surprise", process: AUDIT, at: sharedClock(), session, detail: describeError(error) });
  const module: ChaosStore = await import(task.store);
  const store = await module.open(task.data, systemClock);
  await audit({ task, module, store, lines, write, surprise }).catch((error: unknown) => surprise("", error));
  await store.close();
  log.close();
  process.disconnect?.();
}

/** The findings of `verify` as text. Empty if the session is sound. */
export async function harmIn(store: SessionStore, session: string): Promise<readonly string[]> {
  const { findings, ok } = await store.verify(session);
  const harm = findings.filter(({ severity }) => severity === "harmful").map(({ detail }) => detail);
  return ok ? harm : [...harm, "verify says no"];
}
