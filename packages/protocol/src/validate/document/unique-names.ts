import { invalid } from "../../arguments/invalid-argument.js";

/** Names of which each may occur once. */
export class UniqueNames {
  readonly #names = new Set<string>();
  readonly #owner: string;

  /** `owner` completes the refusal: "is the name of … as well". */
  constructor(owner: string) {
    this.#owner = owner;
  }

  add(name: string, path: string): void {
    if (this.#names.has(name)) throw invalid(path, `is the name of ${this.#owner} as well.`);
    this.#names.add(name);
  }
}
