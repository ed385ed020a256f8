/** A place where a runner waits until the test lets it go on. */
export class Gate {
  /** Resolves when somebody waits. */
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
    this.#passed.then(undefined, () => undefined); // who waits hears of it
  }

  /** To be waited for. */
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
