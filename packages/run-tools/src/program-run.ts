import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "./within.js";

/** Less than the timeout of the tests that use it (180 s), because the error thrown here has the output of the run. */
const DEADLINE_MS = 170_000;

/** How a program is run for a test. */
interface ProgramRunOptions {
  readonly program: URL;
  readonly args: readonly string[];
  /** The folder in which the temporary folder of the run is made. */
  readonly parentFolder: string;
}

/** What a program printed, and its exit code. */
interface Ended {
  readonly code: unknown;
  readonly output: string;
  readonly errors: string;
}

/** A program that runs in another process. All its files are in one temporary folder. */
export class ProgramRun<Report> {
  readonly folder: string;
  readonly ended: Promise<Ended>;
  readonly #child: ReturnType<typeof spawn>;
  readonly #output: string[] = [];
  readonly #errors: string[] = [];

  private constructor(folder: string, { program, args }: ProgramRunOptions) {
    this.folder = folder;
    // A new process group, as a terminal makes one.
    const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#output.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#errors.push(text));
    this.ended = this.#end(args);
    this.ended.catch(() => undefined); // no unhandled rejection if a test does not await it
  }

  /** Starts a run for `use`. Then kills it if it still runs, and removes its folder. */
  static async use<Report, Result>(
    options: ProgramRunOptions,
    use: (run: ProgramRun<Report>) => Promise<Result>,
  ): Promise<Result> {
    const folder = await mkdtemp(join(options.parentFolder, "sessions-run-test-"));
    const run = new ProgramRun<Report>(folder, options);
    const closed = once(run.#child, "close");
    try {
      return await use(run);
    } finally {
      if (run.#child.exitCode === null && run.#child.signalCode === null) {
        run.signal("SIGKILL");
        await closed;
      }
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Sends a signal to the program alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to the program and its child processes, as a terminal does with Ctrl-C. */
  signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("the run was not started");
    process.kill(-pid, signal);
  }

  /** The processes of the run that have its folder in their arguments. */
  processes(): string[] {
    const all = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
    return all.filter((line) => line.includes(this.folder));
  }

  /** The report of a run with `--json`. */
  async report(): Promise<Report> {
    const { output, errors } = await this.ended;
    if (output === "") throw new Error(`the run printed no report: ${errors}`);
    return JSON.parse(output);
  }

  async #end(args: readonly string[]): Promise<Ended> {
    const closed = once(this.#child, "close");
    try {
      const [code] = await within(DEADLINE_MS, `the run ${args.join(" ")}`, closed);
      return { code, output: this.#output.join(""), errors: this.#errors.join("") };
    } catch (cause) {
      throw new Error(`${String(cause)}. It printed: ${[...this.#output, ...this.#errors].join("")}`, {
        cause,
      });
    }
  }
}
