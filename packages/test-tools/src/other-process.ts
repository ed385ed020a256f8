import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestEnd } from "./own-cleanup.js";

/** A line that a process printed, and when. */
export interface Line {
  readonly at: number;
  readonly [field: string]: unknown;
}

/** A program in a process of its own. It ends when its input does, so it never outlives this one. */
export class OtherProcess {
  readonly said: Line[] = [];
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #complaints: string[] = [];
  #isClosed = false;
  #look: () => void = () => undefined;

  /** `program` gets `argument` as JSON. */
  constructor(program: URL, argument: unknown) {
    this.#child = spawn(process.execPath, [fileURLToPath(program), JSON.stringify(argument)], {
      stdio: "pipe",
    });
    onTestEnd(() => this.#child.kill("SIGKILL")); // a test that fails leaves no process behind
    const { stdout, stderr, stdin } = this.#child;
    if (stdout === null || stderr === null) throw new Error("there are no pipes");
    createInterface({ input: stdout }).on("line", (line) => this.#take(JSON.parse(line)));
    stderr.on("data", (data) => this.#complaints.push(String(data)));
    stdin?.on("error", () => undefined); // a write to a killed process fails
    this.#closed = once(this.#child, "close").then(() => this.#close());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when it has printed such a line. */
  async until(is: (line: Line) => boolean): Promise<Line> {
    for (let from = 0; ; ) {
      const found = this.said.slice(from).find(is);
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error(`the process ended: ${this.#complaints.join("")}`);
      from = this.said.length;
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  /** Resolves when it has printed `count` lines. */
  untilSaid(count: number): Promise<Line> {
    return this.until(() => this.said.length >= count);
  }

  /** Writes a line to its input. */
  tell(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Kills it. Resolves when it is dead and everything that it printed is in `said`. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  /** Lets it end by itself. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#closed;
    if (this.#child.exitCode !== 0)
      throw new Error(`the process ended with ${this.#child.exitCode}: ${this.#complaints.join("")}`);
  }

  #take(line: Line): void {
    this.said.push(line);
    this.#look();
  }

  #close(): void {
    this.#isClosed = true;
    this.#look();
  }
}
