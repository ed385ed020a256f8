import type { Run } from "./runs.js";

/** Puts rows that come one by one together to runs. */
export class RunBuilder {
  readonly #runs: Run[] = [];
  #from = 0;
  #to = 0;
  #revision: number | undefined;

  add(row: number, revision: number | undefined): void {
    if (row !== this.#to || revision !== this.#revision) {
      this.finish();
      this.#from = row;
      this.#revision = revision;
    }
    this.#to = row + 1;
  }

  /** All that were added. */
  finish(): readonly Run[] {
    const run = { from: this.#from, to: this.#to };
    if (run.from < run.to)
      this.#runs.push(this.#revision === undefined ? run : { ...run, revision: this.#revision });
    this.#from = this.#to;
    return this.#runs;
  }
}
