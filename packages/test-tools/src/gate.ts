/** A gate that a function under test awaits until the test opens it. */
export class Gate {
  /** Resolves when `passed` is read for the first time. */
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
    this.#passed.then(undefined, () => undefined); // no unhandled rejection if nothing awaits it
  }

  /** The function under test awaits this. */
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
