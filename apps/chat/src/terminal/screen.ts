import { harmless } from "./harmless.js";
import type { Style } from "./style.js";
import { WholeCharacters } from "./whole-characters.js";

/** Where text goes. */
interface Sink {
  write(text: string): unknown;
}

/** What a screen writes to. At a terminal all are the same; with a pipe only `answers` is standard output. */
export interface Sinks {
  readonly answers: Sink;
  /** What is said about answers: which model, which tools, what was interrupted. */
  readonly remarks: Sink;
  readonly errors: Sink;
}

/**
 * Everything that the chat shows. Text that came from a message goes through `harmless` here, in one place.
 */
export class Screen {
  readonly #sinks: Sinks;
  readonly #style: Style;
  readonly #characters = new WholeCharacters();
  /** The answer's last line has not ended yet. */
  #open = false;

  constructor(sinks: Sinks, style: Style) {
    this.#sinks = sinks;
    this.#style = style;
  }

  /** A piece of an answer. */
  say(piece: string): void {
    this.#write(harmless(this.#characters.take(piece)));
  }

  /** Ends what `say` began. */
  endAnswer(): void {
    this.#write(harmless(this.#characters.rest()));
    if (this.#open) this.#write("\n");
  }

  /** What a command was asked for: a line of its own. */
  line(text: string): void {
    this.endAnswer();
    this.#sinks.answers.write(`${harmless(text)}\n`);
  }

  /** A line about the chat, not of it. */
  remark(text: string): void {
    this.endAnswer();
    this.#sinks.remarks.write(`${this.#style.dim(harmless(text))}\n`);
  }

  /** A line that must not be overlooked. */
  warn(text: string): void {
    this.endAnswer();
    this.#sinks.remarks.write(`${this.#style.bold(harmless(text))}\n`);
  }

  error(text: string): void {
    this.endAnswer();
    this.#sinks.errors.write(`${this.#style.alarming(harmless(text))}\n`);
  }

  #write(text: string): void {
    if (text === "") return;
    this.#sinks.answers.write(text);
    this.#open = !text.endsWith("\n");
  }
}
