import type { Writable } from "node:stream";

/** The server works on these while the next ones are made. */
const MAX_COMMANDS = 16;

/**
 * Commands of one turn of the event loop go to the network in one write. Callers that are answered together ask again together,
 * and a system call for each was a third of all that they cost the process.
 */
export class WriteBatch {
  #stream: Writable | undefined;
  #count = 0;

  /** To be called before each write to `stream`. */
  join(stream: Writable): void {
    if (this.#stream !== stream) this.#begin(stream);
    else if (this.#count === MAX_COMMANDS) {
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
