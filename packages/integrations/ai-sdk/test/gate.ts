/** Lets nobody through until it is opened. */
export class Gate {
  readonly passed: Promise<void>;
  readonly reached: Promise<void>;
  open: () => void = () => undefined;
  #reach: () => void = () => undefined;

  constructor() {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  async pass(): Promise<void> {
    this.#reach();
    await this.passed;
  }
}
