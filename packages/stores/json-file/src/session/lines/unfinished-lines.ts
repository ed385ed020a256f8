import { parseChecksummed } from "./checksummed-line.js";
import { isJournalLine } from "./journal-line.js";

/** The beginning of a line. */
interface Beginning {
  readonly offset: number;
  readonly length: number;
}

/**
 * Beginnings of lines that others have written behind. Their writer may continue one elsewhere: Node writes the rest of a
 * short write by itself, at the end that the file has by then.
 */
export class UnfinishedLines {
  readonly #bytesAt: (offset: number, length: number) => Buffer;
  readonly #beginnings: Beginning[] = [];

  constructor(bytesAt: (offset: number, length: number) => Buffer) {
    this.#bytesAt = bytesAt;
  }

  add(offset: number, length: number): void {
    this.#beginnings.push({ offset, length });
  }

  /** Whether a line is the rest of one of these: together they have a checksum that holds. */
  isRest(line: Buffer, salt: string): boolean {
    return this.#beginnings.some(({ offset, length }) => {
      const whole = Buffer.concat([this.#bytesAt(offset, length), line]);
      return isJournalLine(parseChecksummed(whole, salt)?.value);
    });
  }
}
