import { stripControls } from "./strip-controls.js";
import type { Style } from "./style.js";
import { WholeCharacters } from "./whole-characters.js";

/** A stream for text. */
interface Sink {
  write(text: string): unknown;
}

/** The outputs of a screen. At a terminal all are the same; with a pipe only `answers` is standard output. */
export interface Sinks {
  readonly answers: Sink;
  /** Lines about answers: the model, the tools, interruptions. */
  readonly remarks: Sink;
  readonly errors: Sink;
}

/**
 * Writes everything that the chat shows. It calls `stripControls` for all text of messages.
 */
export class Screen {
  readonly #sinks: Sinks;
  readonly #style: Style;
  readonly #characters = new WholeCharacters();
  /** Whether the last line of the answer has not ended yet. */
  #open = false;

  constructor(sinks: Sinks, style: Style) {
    this.#sinks = sinks;
    this.#style = style;
  }

  /** Writes a part of an answer. */
  say(piece: string): void {
    this.#write(stripControls(this.#characters.take(piece)));
  }

  /** Ends the answer that `say` has begun. */
  endAnswer(): void {
    this.#write(stripControls(this.#characters.rest()));
    if (this.#open) this.#write("\n");
  }

  /** Writes the result of a command as a line. */
  line(text: string): void {
    this.endAnswer();
    this.#sinks.answers.write(`${stripControls(text)}\n`);
  }

  /** Writes a remark about the chat as a line. */
  remark(text: string): void {
    this.endAnswer();
    this.#sinks.remarks.write(`${this.#style.dim(stripControls(text))}\n`);
  }

  /** Writes a warning as a line. */
  warn(text: string): void {
    this.endAnswer();
    this.#sinks.remarks.write(`${this.#style.bold(stripControls(text))}\n`);
  }

  error(text: string): void {
    this.endAnswer();
    this.#sinks.errors.write(`${this.#style.alarming(stripControls(text))}\n`);
  }

  #write(text: string): void {
    if (text === "") return;
    this.#sinks.answers.write(text);
    this.#open = !text.endsWith("\n");
  }
}
