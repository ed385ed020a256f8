import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestEnd } from "./test-cleanup.js";

/** A line that a process has printed. */
export interface Line {
  readonly at: number;
  readonly [field: string]: unknown;
}

/** A program in another process. It ends when its input ends, so it never outlives this process. */
export class OtherProcess {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #errors: string[] = [];
  #isClosed = false;
  #onChange: () => void = () => undefined;

  /** `program` gets `argument` as JSON. */
  constructor(program: URL, argument: unknown) {
    this.#child = spawn(process.execPath, [fileURLToPath(program), JSON.stringify(argument)], {
      stdio: "pipe",
    });
    onTestEnd(() => this.#child.kill("SIGKILL")); // a test that fails leaves no process behind
    const { stdout, stderr, stdin } = this.#child;
    if (stdout === null || stderr === null) throw new Error("there are no pipes");
    createInterface({ input: stdout }).on("line", (line) => this.#addLine(JSON.parse(line)));
    stderr.on("data", (data) => this.#errors.push(String(data)));
    stdin?.on("error", () => undefined); // a write to a killed process fails
    this.#closed = once(this.#child, "close").then(() => this.#close());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the process has printed such a line. */
  async until(is: (line: Line) => boolean): Promise<Line> {
    for (let from = 0; ; ) {
      const found = this.lines.slice(from).find(is);
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error(`the process ended: ${this.#errors.join("")}`);
      from = this.lines.length;
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  /** Resolves when the process has printed `count` lines. */
  untilLines(count: number): Promise<Line> {
    return this.until(() => this.lines.length >= count);
  }

  /** Writes a line to the input of the process. */
  writeLine(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Kills the process. Resolves when it has ended and `lines` has everything that it printed. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  /** Ends the input of the process, and waits until the process has ended. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#closed;
    if (this.#child.exitCode !== 0)
      throw new Error(`the process ended with ${this.#child.exitCode}: ${this.#errors.join("")}`);
  }

  #addLine(line: Line): void {
    this.lines.push(line);
    this.#onChange();
  }

  #close(): void {
    this.#isClosed = true;
    this.#onChange();
  }
}
