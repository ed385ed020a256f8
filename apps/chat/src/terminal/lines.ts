import { type CompleterResult, createInterface, type Interface } from "node:readline";
import { harmless } from "./harmless.js";
import { QuietOutput } from "./quiet-output.js";

/** Completes a line, as readline wants it told. */
export type Complete = (line: string) => Promise<CompleterResult>;

/** Where lines come from. */
export interface LinesOptions {
  readonly input: NodeJS.ReadableStream;
  /** Present for a person at a terminal: prompts and keys are shown there. */
  readonly terminal?: NodeJS.WriteStream;
  readonly complete?: Complete;
  /** Ctrl-C. A terminal that is being edited on sends it as a key, not as a signal. */
  readonly onInterrupt?: () => void;
}

/**
 * What the user types or a pipe delivers, line by line. The terminal stays in readline's hands also while an answer is
 * streamed: only so does Ctrl-C reach this process alone. As a signal it would go to everything that `npm start` put
 * in between too, and those end at once.
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

  /** The next line; `undefined` when there are no more. A person is shown `prompt` first. */
  async next(prompt: string): Promise<string | undefined> {
    const early = this.#waiting.shift();
    if (early !== undefined) return this.#shown(prompt, early);
    return this.#ended ? undefined : await this.#ask(prompt);
  }

  /** No more lines, not even those that came early. */
  close(): void {
    this.#waiting.length = 0;
    this.#interface.close();
  }

  /** What was typed while nothing was echoed. */
  #shown(prompt: string, line: string): string {
    this.#hush(false);
    this.#echo?.write(`${prompt}${harmless(line)}\n`);
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
    // The prompt is left standing without this, and the shell's comes behind it.
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
