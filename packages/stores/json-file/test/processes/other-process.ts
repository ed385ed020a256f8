import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A program in a process of its own, with its output and its input. It ends when its input does. */
export class OtherProcess {
  readonly said: unknown[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #complaints: string[] = [];

  /** `program` stands beside this file; it gets `argument` as JSON. */
  constructor(program: string, argument: unknown) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    this.#child = spawn(process.execPath, [path, JSON.stringify(argument)], { stdio: "pipe" });
    onTestFinished(() => void this.#child.kill("SIGKILL")); // a test that fails leaves no process behind
    this.#ended = once(this.#child, "close").then(([code]) => code);
    if (this.#child.stdout === null || this.#child.stderr === null) throw new Error("there are no pipes");
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.said.push(JSON.parse(line)));
    this.#child.stderr.on("data", (data) => this.#complaints.push(String(data)));
  }

  /** Resolves when it has ended by itself, and well. */
  async end(): Promise<void> {
    const code = await this.#ended;
    if (code !== 0) throw new Error(`the other process ended with ${code}: ${this.#complaints.join("")}`);
  }

  /** Tells it that its work is done, and waits for it. */
  async finish(): Promise<void> {
    this.#child.stdin?.end();
    await this.end();
  }
}
