import { sharedClock } from "@sessions/conformance/multi-process";
import { type SessionStore, systemClock } from "@sessions/protocol";
import { FINAL_READ } from "../log/final-read-name.js";
import { LogFile } from "../log/log-file.js";
import type { LogLine } from "../log/log-line.js";
import { readLogs } from "../log/read-logs.js";
import type { ChaosStore } from "../stores/chaos-store.js";
import { describeError } from "./expected-errors.js";
import type { WorkerTask } from "./worker-task.js";

/** What a final read works with. */
export interface FinalReadContext {
  readonly task: WorkerTask;
  readonly module: ChaosStore;
  readonly store: SessionStore;
  /** The log lines of all workers. */
  readonly lines: readonly LogLine[];
  readonly write: (line: LogLine) => void;
  readonly logUnexpected: (session: string, error: unknown) => void;
}

/** Runs a final read: `node final-read.js <task>`. A new process reads everything after the workers have ended. */
export async function runFinalRead(read: (context: FinalReadContext) => Promise<void>): Promise<void> {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => undefined);
  const task: WorkerTask = JSON.parse(process.argv[2] ?? "");
  const lines = readLogs(task.logs);
  const log = new LogFile(task.logs, FINAL_READ);
  const write = log.write.bind(log);
  const logUnexpected = (session: string, error: unknown): void =>
    write({
      type: "unexpected-error",
      process: FINAL_READ,
      at: sharedClock(),
      session,
      detail: describeError(error),
    });
  const module: ChaosStore = await import(task.store);
  const store = await module.open(task.data, systemClock);
  await read({ task, module, store, lines, write, logUnexpected }).catch((error: unknown) =>
    logUnexpected("", error),
  );
  await store.close();
  log.close();
  process.disconnect?.();
}

/** The findings of `verify` as text. Empty if the session is sound. */
export async function harmIn(store: SessionStore, session: string): Promise<readonly string[]> {
  const { findings, ok } = await store.verify(session);
  const harm = findings.filter(({ severity }) => severity === "harmful").map(({ detail }) => detail);
  return ok ? harm : [...harm, "verify says that the session is damaged"];
}
