import { performance } from "node:perf_hooks";

/** Detects that a count has stopped changing. */
export class Stall {
  readonly #limitMs: number;
  #count = -1;
  #since = 0;
  #isDetected = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Compares the count with the last one. A detected stall stays detected, even if the count changes later. */
  observe(count: number): void {
    if (count !== this.#count) this.#since = performance.now();
    this.#count = count;
    if (performance.now() - this.#since > this.#limitMs) this.#isDetected = true;
  }

  /** Whether the count was the same for longer than the limit. */
  get isDetected(): boolean {
    return this.#isDetected;
  }
}
