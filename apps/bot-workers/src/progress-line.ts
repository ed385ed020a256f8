const EVERY_MS = 100;

/** A status line that is rewritten in a terminal. Where the output is no terminal, nothing is written. */
export class ProgressLine {
  readonly #out: NodeJS.WriteStream;
  #saidAt = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    out.on("error", () => undefined); // the terminal may be closed, and the run goes on
  }

  say(text: string): void {
    if (!this.#out.isTTY || performance.now() - this.#saidAt < EVERY_MS) return;
    this.#saidAt = performance.now();
    this.#out.write(`\r\x1b[2K${text}`);
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write("\r\x1b[2K");
  }
}
