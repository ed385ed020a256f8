import { Writable } from "node:stream";

/**
 * What readline echoes to. While an answer is streamed it is silent: keys that are pressed meanwhile stay in the line
 * that is being edited, and are shown with the next prompt instead of in the middle of the answer.
 */
export class QuietOutput extends Writable {
  readonly isTTY = true;
  silent = false;
  readonly #terminal: NodeJS.WriteStream;

  constructor(terminal: NodeJS.WriteStream) {
    super();
    this.#terminal = terminal;
    terminal.on("resize", () => this.emit("resize"));
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  /** Done at once: a write that waited for the one before it would be judged by the silence of later. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.silent) this.#terminal.write(chunk);
    done();
  }
}
