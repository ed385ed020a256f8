import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "./log-line.js";

/**
 * The log of one process. Every line is handed to the operating system before anything else happens, so that it
 * survives the process. Only the last line of a killed one may be torn.
 */
export class LogFile {
  readonly #file: number;

  constructor(folder: string, name: string) {
    // A log is never continued: a second process of the same name would spoil it.
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
