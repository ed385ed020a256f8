import { breakableParts, textWidth } from "./text-width.js";

const TAB_COLUMNS = 8;

/** Line feeds one by one, white space, and words. A no-break space belongs to its word. */
const PIECES = /\n|[^\S\n\u00a0\u202f]+|[\S\u00a0\u202f]+/g;

/**
 * Breaks streamed text into lines between words. The last word is held back until it is whole, because only then it is known
 * whether it fits. A pipe has no columns, and text passes as it is.
 */
export class WordWrap {
  readonly #terminal: { readonly columns?: number };
  /** The columns of the present line that are written. */
  #column = 0;
  /** The white space before the lines that continue the present one. */
  #indent = "";
  #spaces = "";
  #word = "";

  constructor(terminal: { readonly columns?: number }) {
    this.#terminal = terminal;
  }

  take(text: string): string {
    const columns = this.#columns;
    if (columns === Number.POSITIVE_INFINITY) return text;
    return (text.match(PIECES) ?? []).map((piece) => this.#add(piece, columns)).join("");
  }

  /** Returns what was held back, at the end. */
  rest(): string {
    const rest = this.#endWord(this.#columns);
    this.#beginLine();
    return rest;
  }

  /** Asked each time, because the window may change its size. A pseudo-terminal without a size says 0. */
  get #columns(): number {
    return this.#terminal.columns || Number.POSITIVE_INFINITY;
  }

  #add(piece: string, columns: number): string {
    if (piece === "\n") return this.#endLine(columns);
    return piece.trim() === "" ? this.#space(piece, columns) : this.#continueWord(piece, columns);
  }

  #endLine(columns: number): string {
    const word = this.#endWord(columns);
    this.#beginLine();
    return `${word}\n`;
  }

  #beginLine(): void {
    this.#column = 0;
    this.#indent = "";
    this.#spaces = "";
  }

  #space(space: string, columns: number): string {
    const word = this.#endWord(columns);
    this.#spaces += space.replaceAll("\t", " ".repeat(TAB_COLUMNS));
    const from = this.#column + this.#spaces.length;
    if (this.#column === 0 || this.#isTableGap()) this.#indent = " ".repeat(Math.min(from, columns / 2));
    return word;
  }

  /** Between the columns of a table, as in a list of commands: its lines begin with white space. */
  #isTableGap(): boolean {
    return this.#indent !== "" && this.#spaces.length > 1;
  }

  /** The last part may go on in the next piece. */
  #continueWord(piece: string, columns: number): string {
    const parts = breakableParts(this.#word + piece);
    this.#word = "";
    let written = "";
    for (const part of parts) {
      written += this.#endWord(columns);
      this.#word = part;
    }
    return written;
  }

  /** Writes the word to this line if it fits, otherwise to the next. */
  #endWord(columns: number): string {
    const word = this.#word;
    if (word === "") return "";
    const width = textWidth(word);
    const fits = this.#column === 0 || this.#column + this.#spaces.length + width <= columns;
    const space = fits ? this.#spaces : this.#indent;
    this.#column = columnAfter((fits ? this.#column : 0) + space.length + width, columns);
    this.#spaces = "";
    this.#word = "";
    return `${fits ? "" : "\n"}${space}${word}`;
  }
}

/** A word that is longer than a line is broken by the terminal itself. */
const columnAfter = (end: number, columns: number): number =>
  end <= columns ? end : end % columns || columns;
