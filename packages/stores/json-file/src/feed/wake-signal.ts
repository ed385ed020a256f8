/** Longer than this a timer cannot wait. */
const MAX_TIMER_MS = 0x7fffffff;

/** Gathers the folders that one watcher has to look at, and wakes it. */
export class WakeSignal {
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

  /** Resolves when something was added, when the time is over, or when the signal aborts. Keeps no process alive. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#folders === "all" || this.#folders.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(0, ms), MAX_TIMER_MS)).unref();
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}
