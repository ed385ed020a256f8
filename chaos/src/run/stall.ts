import { performance } from "node:perf_hooks";

/** Detects that a count no longer changes. */
export class Stall {
  readonly #patienceMs: number;
  #count = -1;
  #since = 0;
  #noticed = false;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Compares the count with the last one. A stall stays noticed, even if the count changes later. */
  look(count: number): void {
    if (count !== this.#count) this.#since = performance.now();
    this.#count = count;
    if (performance.now() - this.#since > this.#patienceMs) this.#noticed = true;
  }

  /** Whether the count was the same for longer than `patienceMs`. */
  get noticed(): boolean {
    return this.#noticed;
  }
}
