import { performance } from "node:perf_hooks";

/** Notices when a count no longer grows. */
export class Stall {
  readonly #patienceMs: number;
  #count = -1;
  #since = 0;
  #noticed = false;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Looks at the count. Who has stalled once has stalled, whatever comes later. */
  look(count: number): void {
    if (count !== this.#count) this.#since = performance.now();
    this.#count = count;
    if (performance.now() - this.#since > this.#patienceMs) this.#noticed = true;
  }

  /** Whether the count was the same for longer than is bearable, when it was looked at. */
  get noticed(): boolean {
    return this.#noticed;
  }
}
