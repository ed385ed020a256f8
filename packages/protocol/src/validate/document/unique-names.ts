import { invalid } from "../../arguments/invalid-argument.js";

/** Refuses a name that occurs twice. */
export class UniqueNames {
  readonly #names = new Set<string>();
  readonly #owner: string;

  /** `owner` completes the error message: "is the name of … as well". */
  constructor(owner: string) {
    this.#owner = owner;
  }

  add(name: string, path: string): void {
    if (this.#names.has(name)) throw invalid(path, `is the name of ${this.#owner} as well.`);
    this.#names.add(name);
  }
}
