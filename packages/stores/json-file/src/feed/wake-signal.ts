/** A longer time than this is too long for a timer. */
const LONGEST_MS = 0x7fffffff;

/** What was rung for one watcher since it looked. */
export class Rung {
  #folders: Set<string> | "all" = new Set();
  #wake: () => void = () => undefined;

  add(folders: ReadonlySet<string> | "all"): void {
    if (folders === "all") this.#folders = "all";
    else if (this.#folders !== "all") for (const folder of folders) this.#folders.add(folder);
    this.#wake();
  }

  take(): ReadonlySet<string> | "all" {
    const taken = this.#folders;
    this.#folders = new Set();
    return taken;
  }

  /** Resolves when something is rung, when the time is over, or when the signal aborts. Keeps no process alive. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#folders === "all" || this.#folders.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(0, ms), LONGEST_MS)).unref();
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}
