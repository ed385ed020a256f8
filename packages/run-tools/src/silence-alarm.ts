/** Calls `onSilence` once if `heard` is not called for this many milliseconds. */
export class SilenceAlarm {
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, onSilence: () => void) {
    this.#timer = setTimeout(onSilence, ms);
  }

  /** Starts the time again. */
  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
