import { frameEnd } from "./frame.js";

/** Cuts a stream of bytes into whole values of the Redis protocol. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Takes what has arrived, and returns the values that are whole now, each as its bytes. */
  push(chunk: Buffer): readonly Buffer[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    let start = 0;
    for (let end = this.#next(bytes, start); end !== undefined; end = this.#next(bytes, start)) {
      frames.push(bytes.subarray(start, end));
      start = end;
    }
    this.#rest = bytes.subarray(start);
    return frames;
  }

  #next(bytes: Buffer, start: number): number | undefined {
    return start < bytes.length ? frameEnd(bytes, start) : undefined;
  }
}
