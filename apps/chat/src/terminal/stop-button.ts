/** What the button does if there is nothing to stop. */
export interface StopButtonOptions {
  /** Ends the input, so that the chat closes its store and ends. */
  readonly leave: () => void;
  /** Ends the process at once. Acknowledged writes are on the disk. */
  readonly exit: () => void;
}

/** Ctrl-C: stops the answer, and at the prompt it leaves. A second one while an answer is being stopped exits. */
export class StopButton {
  readonly #options: StopButtonOptions;
  #work: AbortController | undefined;

  constructor(options: StopButtonOptions) {
    this.#options = options;
  }

  /** Runs work that the button stops. */
  async during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#work = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.#work = undefined;
    }
  }

  press(): void {
    if (this.#work === undefined) this.#options.leave();
    else if (this.#work.signal.aborted) this.#options.exit();
    else this.#work.abort();
  }

  /** Stops the answer, then leaves. */
  leave(): void {
    if (this.#work?.signal.aborted === true) this.#options.exit();
    this.#work?.abort();
    this.#options.leave();
  }
}
