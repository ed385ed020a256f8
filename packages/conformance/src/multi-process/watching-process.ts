import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { OtherProcess } from "../harness.js";

const PROGRAM = fileURLToPath(new URL("./only-watches.js", import.meta.url));

/** What a process that only watches is told: which store to watch, and how to end its watch at the first change. */
export interface Watching {
  readonly how: OtherProcess;
  readonly end: "return()" | "signal" | "close()";
}

/** A process that does nothing but watch a store. */
export class WatchingProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #printed: string[] = [];
  readonly #closed: Promise<unknown>;
  #look: () => void = () => undefined;
  #hasEnded = false;

  constructor(watching: Watching) {
    this.#child = spawn(process.execPath, [PROGRAM, JSON.stringify(watching)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#closed = once(this.#child, "close").then(() => this.#end());
    for (const input of [this.#child.stdout, this.#child.stderr])
      if (input !== null) createInterface({ input }).on("line", (line) => this.#take(line));
  }

  /** Resolves when it has printed this. Fails when it has ended without. */
  async printed(line: string): Promise<void> {
    while (!this.#printed.includes(line)) {
      if (this.#hasEnded)
        throw new Error(`the process ended before "${line}". It printed: ${this.#printed.join("\n")}`);
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  /** Resolves with its exit code when it has ended by itself. */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  #take(line: string): void {
    this.#printed.push(line);
    this.#look();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#look();
  }
}
