import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "./log-line.js";

/**
 * The log of one process. `write` returns after the operating system has the line, so that the line outlives the process.
 * A kill can tear only the last line.
 */
export class LogFile {
  readonly #file: number;

  constructor(folder: string, name: string) {
    // "x": two processes that append to one file would mix their lines.
    this.#file = openSync(join(folder, `${name}.jsonl`), "ax");
  }

  write(line: LogLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
  }

  close(): void {
    closeSync(this.#file);
  }
}
