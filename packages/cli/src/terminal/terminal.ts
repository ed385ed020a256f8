import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { ReadStream, WriteStream } from "node:tty";
import { Stopped } from "../command/stopped.js";
import { jsonText } from "./json-text.js";
import { maskPasswords } from "./mask-passwords.js";
import { stripControlsLine } from "./strip-controls.js";
import { type Style, styleFor } from "./style.js";

/** The streams, the environment and the folder of the process. */
export interface ProcessParts {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** Writes results to standard output and everything else to standard error. */
export class Terminal {
  readonly #parts: ProcessParts;
  /** For standard output. */
  readonly style: Style;
  /** For standard error. */
  readonly noteStyle: Style;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.style = styleFor(parts.stdout.isTTY === true, parts.env);
    this.noteStyle = styleFor(parts.stderr.isTTY === true, parts.env);
  }

  get env(): Readonly<Record<string, string | undefined>> {
    return this.#parts.env;
  }

  get cwd(): string {
    return this.#parts.cwd();
  }

  /** Whether the user can be asked. */
  get interactive(): boolean {
    return this.#parts.stdin.isTTY === true && this.#parts.stderr.isTTY === true;
  }

  /** Whether a line of standard error can be rewritten. */
  get animated(): boolean {
    return this.#parts.stderr.isTTY === true && this.#parts.env["TERM"] !== "dumb";
  }

  /** The maximum width of results. Unlimited in a pipe. */
  get columns(): number {
    const { isTTY, columns } = this.#parts.stdout;
    return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  /** The maximum width of notes. Unlimited in a pipe. */
  get noteColumns(): number {
    const { isTTY, columns } = this.#parts.stderr;
    return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  /** Writes to standard output, and waits while its reader is slow. */
  async write(text: string): Promise<void> {
    if (!this.#parts.stdout.write(text)) await once(this.#parts.stdout, "drain");
  }

  async print(...lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.write(`${line}\n`);
  }

  /** Prints a result for programs as one line. */
  async printJson(value: unknown): Promise<void> {
    await this.write(`${jsonText(value)}\n`);
  }

  /** Prints a line that is not a result. */
  note(text: string): void {
    this.#parts.stderr.write(`${maskPasswords(text)}\n`);
  }

  /** Rewrites the current line of standard error. */
  draw(line: string): void {
    this.#parts.stderr.write(`\r\x1b[K${line}`);
  }

  /** Asks a yes-or-no question. Any answer but yes means no. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    const { stdin: input, stderr: output } = this.#parts;
    const lines = createInterface({ input, output });
    // A terminal that is read line by line sends Ctrl-C as a key, and no signal.
    const stop = new AbortController();
    lines.once("SIGINT", () => stop.abort());
    const end = (): void => stop.abort();
    signal.addEventListener("abort", end);
    try {
      return /^y(es)?$/i.test(
        (await lines.question(`${stripControlsLine(question)} [y/N] `, { signal: stop.signal })).trim(),
      );
    } catch (error) {
      if (!stop.signal.aborted || signal.aborted) throw error;
      this.note("");
      throw new Stopped("SIGINT");
    } finally {
      signal.removeEventListener("abort", end);
      lines.close();
    }
  }
}
