import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { killWorkers } from "./worker.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A folder for one run of the benchmarks. It is removed when the run ends, fails or is stopped. */
export class WorkFolder implements Disposable {
  readonly path: string;
  readonly #stop = (signal: NodeJS.Signals): void => {
    killWorkers();
    this.#remove();
    process.exit(128 + constants.signals[signal]);
  };

  constructor(parent: string) {
    mkdirSync(parent, { recursive: true });
    this.path = mkdtempSync(join(parent, "run-"));
    for (const signal of SIGNALS) process.on(signal, this.#stop);
  }

  /** An empty folder in it, for the time of `work`. */
  async during<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = mkdtempSync(join(this.path, "row-"));
    try {
      return await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#stop);
    this.#remove();
  }

  // A worker that was killed just now may still be writing.
  #remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}
