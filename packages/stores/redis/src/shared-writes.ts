import type { Writable } from "node:stream";

/** So many commands at most: the server works on them while the next ones are made. */
const MOST_TOGETHER = 16;

/**
 * Commands of one turn of the event loop go to the network together. Where many callers are answered at once they all ask again at once,
 * and a system call for each was a third of all that they cost the process.
 */
export class SharedWrites {
  #stream: Writable | undefined;
  #count = 0;

  /** To be called before each write to `stream`. */
  join(stream: Writable): void {
    if (this.#stream !== stream) this.#begin(stream);
    else if (this.#count === MOST_TOGETHER) {
      stream.uncork();
      stream.cork();
      this.#count = 0;
    }
    this.#count++;
  }

  #begin(stream: Writable): void {
    this.#stream = stream;
    this.#count = 0;
    stream.cork();
    process.nextTick(() => {
      this.#stream = undefined;
      stream.uncork();
    });
  }
}
