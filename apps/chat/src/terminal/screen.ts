import { stripControls } from "./strip-controls.js";
import type { Style } from "./style.js";
import { WholeCharacters } from "./whole-characters.js";
import { WordWrap } from "./word-wrap.js";

/** A stream for text. */
interface Sink {
  write(text: string): unknown;
  /** The width of the terminal. A pipe has none, and its text is not wrapped. */
  readonly columns?: number;
}

/** The outputs of a screen. At a terminal all are the same; with a pipe only `answers` is standard output. */
export interface Sinks {
  readonly answers: Sink;
  /** Lines about answers: the model, the tools, interruptions. */
  readonly remarks: Sink;
  readonly errors: Sink;
}

/**
 * Writes everything that the chat shows, wrapped at the width of the terminal. It calls `stripControls` for all text of messages.
 */
export class Screen {
  readonly #sinks: Sinks;
  readonly #style: Style;
  readonly #characters = new WholeCharacters();
  readonly #wrap: WordWrap;
  /** Whether the last line of the answer has not ended yet. */
  #open = false;

  constructor(sinks: Sinks, style: Style) {
    this.#sinks = sinks;
    this.#style = style;
    this.#wrap = new WordWrap(sinks.answers);
  }

  /** Writes a part of an answer. */
  say(piece: string): void {
    this.#write(this.#wrap.take(stripControls(this.#characters.take(piece))));
  }

  /** Ends the answer that `say` has begun. */
  endAnswer(): void {
    this.#write(this.#wrap.take(stripControls(this.#characters.rest())) + this.#wrap.rest());
    if (this.#open) this.#write("\n");
  }

  /** Writes the result of a command as a line. */
  line(text: string): void {
    this.#writeLine(this.#sinks.answers, text);
  }

  /** Writes a remark about the chat as a line. */
  remark(text: string): void {
    this.#writeLine(this.#sinks.remarks, text, this.#style.dim);
  }

  /** Writes a warning as a line. */
  warn(text: string): void {
    this.#writeLine(this.#sinks.remarks, text, this.#style.bold);
  }

  error(text: string): void {
    this.#writeLine(this.#sinks.errors, text, this.#style.alarming);
  }

  #writeLine(sink: Sink, text: string, styled = (plain: string): string => plain): void {
    this.endAnswer();
    const wrap = new WordWrap(sink);
    sink.write(`${styled(wrap.take(stripControls(text)) + wrap.rest())}\n`);
  }

  #write(text: string): void {
    if (text === "") return;
    this.#sinks.answers.write(text);
    this.#open = !text.endsWith("\n");
  }
}
