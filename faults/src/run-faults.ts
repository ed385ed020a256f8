import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTask } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ProgressLine, SilenceAlarm, storeModule } from "run-tools";
import { buildShim } from "./build-shim.js";
import { FaultControl } from "./fault-control.js";
import type { Options } from "./options.js";
import type { Report, StoreReport } from "./report.js";
import { stores } from "./stores/index.js";
import type { Tally, Violation, WorkerMessage, WorkerTask } from "./worker-task.js";

const WORKER = fileURLToPath(new URL("./worker.js", import.meta.url));

const NOTHING_TRIED: Tally = { tried: {}, answers: {}, missed: 0, all: 0 };

/** Tries the stores one after the other, each in a new process. */
export async function runFaults(
  options: Options,
  progress: ProgressLine,
  signal: AbortSignal,
): Promise<Report> {
  const begun = performance.now();
  const modules = options.stores.map((name) => [name, storeModule(stores, name)] as const);
  const folder = await mkdtemp(join(workFolder(), "sessions-faults-"));
  const reports: StoreReport[] = [];
  try {
    const shim = await buildShim(folder);
    for (const [index, [name, module]] of modules.entries()) {
      if (signal.aborted) break;
      const { seed, sample, only, call, silenceMs } = options;
      // Ends with a slash, because the shim compares the beginnings of paths.
      const root = join(folder, `root-${index}/`);
      const task = { module, root, control: join(folder, `control-${index}`), seed, sample, only, call };
      await mkdir(root);
      reports.push({ store: name, ...(await tryStore(name, task, { shim, silenceMs, progress, signal })) });
    }
  } catch (error) {
    // Ctrl-C also ends the child processes, whose end may be handled before the signal.
    await nextTask();
    if (!signal.aborted) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const isViolated = reports.some(({ violations }) => violations.length > 0);
  const verdict = signal.aborted ? "interrupted" : isViolated ? "violated" : "sound";
  return { verdict, seed: options.seed, seconds: (performance.now() - begun) / 1000, stores: reports };
}

/** In memory if possible: a run makes thousands of syncs, and slow ones prove nothing more. */
function workFolder(): string {
  return process.env.TMPDIR === undefined && existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

/** What the trials of one store need from the run. */
interface StoreRun {
  readonly shim: string;
  readonly silenceMs: number;
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

async function tryStore(
  name: string,
  task: WorkerTask,
  { shim, silenceMs, progress, signal }: StoreRun,
): Promise<Omit<StoreReport, "store">> {
  FaultControl.make(task.control);
  const violations: Violation[] = [];
  let tally: Tally | undefined;
  let step = "starting";
  let isSilent = false;
  const child = startWorker(task, shim);
  const stop = (): void => void child.kill("SIGKILL");
  const alarm = new SilenceAlarm(silenceMs, () => {
    isSilent = true;
    stop();
  });
  signal.addEventListener("abort", stop);
  child.on("message", (message: WorkerMessage) => {
    alarm.heard();
    if (message.kind === "violation") violations.push(message.violation);
    if (message.kind === "step") step = message.step;
    if (message.kind === "progress")
      progress.show(
        `${name}: ${message.tried} of ${message.all}, ${violations.length} violations, ${message.operation}`,
      );
    if (message.kind === "done") {
      tally = message.tally;
      stop();
    }
  });
  const [code, killedBy] = await once(child, "close");
  alarm.stop();
  signal.removeEventListener("abort", stop);
  if (tally !== undefined || signal.aborted) return { tally: tally ?? NOTHING_TRIED, violations };
  const end = isSilent ? `said nothing for ${silenceMs} ms` : `ended with ${killedBy ?? `exit code ${code}`}`;
  throw new Error(`the process that tries ${name} ${end}; its last step was ${step}`);
}

function startWorker(task: WorkerTask, shim: string): ChildProcess {
  const env = {
    ...process.env,
    LD_PRELOAD: shim,
    SESSIONS_FAULTS_ROOT: task.root,
    SESSIONS_FAULTS_CONTROL: task.control,
    UV_USE_IO_URING: "0", // the shim cannot intercept calls that the kernel makes
  };
  return fork(WORKER, [JSON.stringify(task)], {
    env,
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}
