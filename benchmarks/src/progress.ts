/** A status line. It is rewritten and then removed in a terminal, and not written elsewhere. */
export class Progress implements Disposable {
  readonly #out: NodeJS.WriteStream;
  readonly #start: number = performance.now();

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  say(done: number, all: number, work: string): void {
    const seconds = Math.round((performance.now() - this.#start) / 1000);
    const line = `${done + 1}/${all} · ${seconds} s · ${work}`;
    this.#line(line.slice(0, (this.#out.columns || 80) - 1)); // a line that wraps cannot be rewritten
  }

  [Symbol.dispose](): void {
    this.#line("");
  }

  #line(text: string): void {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[2K${text}`);
  }
}
