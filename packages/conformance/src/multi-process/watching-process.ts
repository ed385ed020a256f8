import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { OtherProcess } from "../harness.js";

const PROGRAM = fileURLToPath(new URL("./watch-program.js", import.meta.url));

/** Which store to watch, and how to end the watch at the first change. */
export interface WatchProgramArguments {
  readonly how: OtherProcess;
  readonly end: "return()" | "signal" | "close()";
}

/** A process that only watches a store: see `watch-program.ts`. */
export class WatchingProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #printed: string[] = [];
  readonly #closed: Promise<unknown>;
  #wakeUp: () => void = () => undefined;
  #hasEnded = false;

  constructor(watching: WatchProgramArguments) {
    this.#child = spawn(process.execPath, [PROGRAM, JSON.stringify(watching)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#closed = once(this.#child, "close").then(() => this.#markEnded());
    for (const input of [this.#child.stdout, this.#child.stderr])
      if (input !== null) createInterface({ input }).on("line", (line) => this.#addLine(line));
  }

  /** Resolves when the process has printed this line. Rejects if it ends first. */
  async printed(line: string): Promise<void> {
    while (!this.#printed.includes(line)) {
      if (this.#hasEnded)
        throw new Error(`the process ended before "${line}". It printed: ${this.#printed.join("\n")}`);
      await new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
      });
    }
  }

  /** Resolves with the exit code when the process has ended by itself. */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  #addLine(line: string): void {
    this.#printed.push(line);
    this.#wakeUp();
  }

  #markEnded(): void {
    this.#hasEnded = true;
    this.#wakeUp();
  }
}
