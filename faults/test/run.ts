import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Report } from "../src/report.js";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** A run of the program, with a folder of its own for whatever it makes. */
export class FaultsRun {
  readonly folder: string;
  readonly #child: ReturnType<typeof spawn>;
  /** What it printed, and its exit code. */
  readonly ended: Promise<{ readonly code: unknown; readonly output: string; readonly errors: string }>;

  private constructor(folder: string, args: readonly string[]) {
    this.folder = folder;
    const env = { ...process.env, TMPDIR: folder };
    // A process group of its own, as a terminal would give it.
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    const printed = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    this.ended = printed.then(([[code], output, errors]) => ({ code, output, errors }));
  }

  /** Starts a run and hands it to `use`; afterwards neither it nor its folder is there. */
  static async use(args: readonly string[], use: (run: FaultsRun) => Promise<void>): Promise<void> {
    const run = new FaultsRun(
      await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "sessions-faults-test-")),
      args,
    );
    try {
      await use(run);
    } finally {
      run.#child.kill("SIGKILL");
      await run.ended;
      await rm(run.folder, { recursive: true, force: true });
    }
  }

  /** To the program and all that it has started, as a terminal does with Ctrl-C. */
  signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("the run was not started");
    process.kill(-pid, signal);
  }

  /** Its report, given `--json`. */
  async report(): Promise<Report> {
    const { output, errors } = await this.ended;
    if (output === "") throw new Error(`the run printed no report: ${errors}`);
    return JSON.parse(output);
  }
}
