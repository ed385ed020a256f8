import { Writable } from "node:stream";

/**
 * The output that readline echoes to. It is muted while an answer is streamed: typed keys stay in readline's line and are shown
 * with the next prompt, not in the middle of the answer.
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

  /** Decides at once, because a queued write would be decided by a later state. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.silent) this.#terminal.write(chunk);
    done();
  }
}
