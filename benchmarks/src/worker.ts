import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();

/** How a worker is started. */
interface WorkerOptions {
  readonly execArgv?: readonly string[];
  /** Whether it starts workers itself, which are killed with it. @default false */
  readonly leads?: boolean;
}

/** A worker process of a measurement. */
export interface Worker {
  /** The next thing that it says. Rejects if it ends without a word, or says that it failed. */
  hear(): Promise<unknown>;
  tell(word: string): void;
  /** Resolves when it is gone. */
  end(): Promise<void>;
}

/** Starts a built module of `workers/`, also for a test, which runs the sources. Needs a listener (`hear`) before it can have anything to say. */
export function startWorker(
  module: string,
  args: readonly string[],
  { execArgv = [], leads = false }: WorkerOptions = {},
): Worker {
  const child = fork(new URL(`../dist/workers/${module}.js`, import.meta.url), [...args], {
    execArgv: [...execArgv],
    detached: leads, // the leader of a new process group
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  running.add(child);
  const gone = once(child, "exit").finally(() => running.delete(child));
  return {
    hear: () => heard(child, gone),
    tell: (word) => child.send(word),
    async end() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** At once, for when there is no time left. */
export function killWorkers(): void {
  for (const child of running) {
    killGroup(child);
    child.kill("SIGKILL");
  }
}

/** Those that it has started, if it leads any. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function heard(child: ChildProcess, gone: Promise<unknown>): Promise<unknown> {
  const silence = gone.then(() => {
    throw new Error(`a worker ended with ${child.exitCode ?? child.signalCode} before it was done`);
  });
  const [word] = await Promise.race([once(child, "message"), silence]);
  return word;
}
