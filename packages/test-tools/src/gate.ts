/** Something that a runner awaits until the test opens it. */
export class Gate {
  /** Resolves when something awaits `passed`. */
  readonly reached: Promise<void>;
  readonly #passed: Promise<void>;
  #arrive: () => void = () => undefined;
  #open: () => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#passed = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#fail = reject;
    });
    this.#passed.then(undefined, () => undefined); // whatever awaits it gets the rejection
  }

  /** Await this. */
  get passed(): Promise<void> {
    this.#arrive();
    return this.#passed;
  }

  open(): void {
    this.#open();
  }

  fail(error: Error): void {
    this.#fail(error);
  }
}
