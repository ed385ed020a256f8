/** One line that says what is going on: rewritten in a terminal, nothing elsewhere. */
export class ProgressLine {
  readonly #out: NodeJS.WriteStream;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    out.on("error", () => undefined); // a terminal that was closed needs no progress
  }

  say(text: string): void {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[2K${text}`);
  }

  clear(): void {
    this.say("");
  }
}
