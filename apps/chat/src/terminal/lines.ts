import { type CompleterResult, createInterface, type Interface } from "node:readline";
import { QuietOutput } from "./quiet-output.js";
import { stripControls } from "./strip-controls.js";

/** Completes a line, in the form that readline takes. */
export type Complete = (line: string) => Promise<CompleterResult>;

/** The source of the lines. */
export interface LinesOptions {
  readonly input: NodeJS.ReadableStream;
  /** The output for prompts and typed keys. Only at a terminal. */
  readonly terminal?: NodeJS.WriteStream;
  readonly complete?: Complete;
  /** Called for Ctrl-C, which readline gets as a key and not as a signal. */
  readonly onInterrupt?: () => void;
}

/**
 * The lines of a terminal or a pipe. readline keeps the terminal while an answer is streamed, so that only this process gets
 * Ctrl-C. As a signal it would also reach the processes between `npm start` and this one, which end at once.
 */
export class Lines {
  readonly #interface: Interface;
  readonly #echo: QuietOutput | undefined;
  readonly #waiting: string[] = [];
  #asking: ((line: string | undefined) => void) | undefined;
  #ended = false;

  constructor({ input, terminal, complete, onInterrupt }: LinesOptions) {
    this.#echo = terminal === undefined ? undefined : new QuietOutput(terminal);
    this.#interface = createInterface({
      input,
      terminal: this.#echo !== undefined,
      crlfDelay: Number.POSITIVE_INFINITY,
      ...(this.#echo === undefined ? {} : { output: this.#echo }),
      ...(complete === undefined ? {} : { completer: completer(complete) }),
    });
    this.#interface.on("line", (line) => this.#take(line));
    this.#interface.on("close", () => this.#end());
    if (onInterrupt !== undefined) this.#interface.on("SIGINT", onInterrupt);
    this.#hush(true);
  }

  /** The next line, or `undefined` at the end of the input. Shows `prompt` at a terminal. */
  async next(prompt: string): Promise<string | undefined> {
    const early = this.#waiting.shift();
    if (early !== undefined) return this.#shown(prompt, early);
    return this.#ended ? undefined : await this.#ask(prompt);
  }

  /** Ends the input, and drops the lines that were not read yet. */
  close(): void {
    this.#waiting.length = 0;
    this.#interface.close();
  }

  /** Shows a line that was typed while the echo was off, after its prompt. */
  #shown(prompt: string, line: string): string {
    this.#hush(false);
    this.#echo?.write(`${prompt}${stripControls(line)}\n`);
    this.#hush(true);
    return line;
  }

  async #ask(prompt: string): Promise<string | undefined> {
    this.#hush(false);
    this.#interface.setPrompt(prompt);
    if (this.#echo !== undefined) this.#interface.prompt(true);
    return await new Promise((resolve) => {
      this.#asking = resolve;
    });
  }

  #take(line: string): void {
    const asking = this.#asking;
    if (asking === undefined) this.#waiting.push(line);
    else this.#answer(asking, line);
  }

  #end(): void {
    this.#ended = true;
    if (this.#asking === undefined) return;
    // Without this, the prompt of the shell would come after ours on the same line.
    this.#echo?.write("\n");
    this.#answer(this.#asking, undefined);
  }

  #answer(asking: (line: string | undefined) => void, line: string | undefined): void {
    this.#asking = undefined;
    this.#hush(true);
    asking(line);
  }

  #hush(silent: boolean): void {
    if (this.#echo !== undefined) this.#echo.silent = silent;
  }
}

function completer(complete: Complete) {
  return (line: string, done: (error: Error | null, result?: CompleterResult) => void): void => {
    complete(line).then((result) => done(null, result), done);
  };
}
