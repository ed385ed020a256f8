import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * The shell between us and the server. It waits for a word on its stdin; if that ends without one, we are dead, and it
 * ends the server and removes the folder. The server is its child, and it does not wait for it before the end: so the
 * number that it kills cannot meanwhile be that of another process.
 */
const TETHER = `folder=$1; shift; exec 3<&0
"$@" </dev/null 2>&1 3<&- &
echo "started as $!"; exec >&- 2>&-
read -r _ <&3; told=$?
kill -9 $!; wait
[ $told = 0 ] || rm -rf "$folder"`;

const STARTED = /^started as (\d+)$/;

const KEPT_LINES = 200;

/** A program that does not outlive this process, however this process ends. */
export class TetheredProcess {
  readonly #tether: ChildProcess;
  readonly #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  #pid = 0;
  /** Resolves when the program and all that it started are gone. */
  readonly ended: Promise<void>;

  private constructor(tether: ChildProcess) {
    this.#tether = tether;
    tether.stdin?.on("error", () => undefined); // the tether is gone: nothing is left to be told
    const { stdout } = tether;
    if (stdout === null) throw new Error("the tether has no output");
    createInterface({ input: stdout }).on("line", (line) => this.#hear(line));
    // The tether closes its own end: the output ends with the last process that holds it.
    this.ended = once(stdout, "close").then(() => this.#letGo());
  }

  /** Starts `command`. `folder` is removed if this process dies. */
  static async start(command: readonly string[], folder: string): Promise<TetheredProcess> {
    const tether = spawn("sh", ["-c", TETHER, "sh", folder, ...command], {
      stdio: ["pipe", "pipe", "inherit"],
      cwd: folder,
      // A group of its own: Ctrl-C is for us, and we decide in which order things end.
      detached: true,
    });
    const started = new TetheredProcess(tether);
    await started.line(STARTED);
    return started;
  }

  get pid(): number {
    return this.#pid;
  }

  /** The end of what it printed. */
  get printed(): string {
    return this.#lines.join("\n");
  }

  /** The first line that matches, printed already or to come. Rejects with all that was printed if it ends without. */
  async line(pattern: RegExp): Promise<string> {
    const said = this.#lines.find((line) => pattern.test(line));
    if (said !== undefined) return said;
    return new Promise((resolve, reject) => {
      const listener = (line: string): void => {
        if (!pattern.test(line)) return;
        this.#listeners.delete(listener);
        resolve(line);
      };
      this.#listeners.add(listener);
      void this.ended.then(() => reject(new Error(`it ended. It printed:\n${this.printed}`)));
    });
  }

  /** Ends it in the middle of whatever it does, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#tether.stdin?.end("kill\n");
    await this.ended;
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  #hear(line: string): void {
    this.#pid ||= Number(STARTED.exec(line)?.[1] ?? 0);
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    for (const listener of this.#listeners) listener(line);
  }

  async #letGo(): Promise<void> {
    this.#tether.stdin?.end("gone\n");
    if (this.#tether.exitCode === null && this.#tether.signalCode === null) await once(this.#tether, "exit");
  }
}
