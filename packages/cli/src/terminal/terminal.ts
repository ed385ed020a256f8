import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { ReadStream, WriteStream } from "node:tty";
import { jsonText } from "./json-text.js";
import { maskPasswords } from "./mask-passwords.js";
import { stripControlsLine } from "./strip-controls.js";
import { type Style, styleFor } from "./style.js";

/** What a process gives a command: streams, environment, folder. */
export interface ProcessParts {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** Results go to standard output; everything else that is said goes to standard error. */
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

  /** Somebody can be asked. */
  get interactive(): boolean {
    return this.#parts.stdin.isTTY === true && this.#parts.stderr.isTTY === true;
  }

  /** Whether a line of standard error can be drawn over. */
  get animated(): boolean {
    return this.#parts.stderr.isTTY === true && this.#parts.env["TERM"] !== "dumb";
  }

  /** How wide results may be. In a pipe nothing is cut off. */
  get columns(): number {
    const { isTTY, columns } = this.#parts.stdout;
    return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  get noteColumns(): number {
    return this.#parts.stderr.columns ?? 80;
  }

  /** Writes to standard output, at the pace of whoever reads it. */
  async write(text: string): Promise<void> {
    if (!this.#parts.stdout.write(text)) await once(this.#parts.stdout, "drain");
  }

  async print(...lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.write(`${line}\n`);
  }

  /** A result for programs: one line. */
  async printJson(value: unknown): Promise<void> {
    await this.write(`${jsonText(value)}\n`);
  }

  /** Says something that is not a result. */
  note(text: string): void {
    this.#parts.stderr.write(`${maskPasswords(text)}\n`);
  }

  /** Draws over the present line of standard error. */
  draw(line: string): void {
    this.#parts.stderr.write(`\r\x1b[K${line}`);
  }

  /** Asks a question that is answered by yes or, by anything else, no. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    const { stdin: input, stderr: output } = this.#parts;
    const lines = createInterface({ input, output });
    try {
      return /^y(es)?$/i.test(
        (await lines.question(`${stripControlsLine(question)} [y/N] `, { signal })).trim(),
      );
    } finally {
      lines.close();
    }
  }
}
