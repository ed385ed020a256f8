import { unsealed } from "./checksummed-line.js";
import { isJournalLine } from "./journal-line.js";

/** The beginning of a line: where it stands, and how long it is. */
interface Stump {
  readonly offset: number;
  readonly length: number;
}

/**
 * Beginnings of lines that others have written behind. A writer may go on with such a line elsewhere: Node writes the rest
 * of a short write by itself, at the end that the file has by then.
 */
export class Stumps {
  readonly #bytesAt: (offset: number, length: number) => Buffer;
  readonly #stumps: Stump[] = [];

  constructor(bytesAt: (offset: number, length: number) => Buffer) {
    this.#bytesAt = bytesAt;
  }

  add(offset: number, length: number): void {
    this.#stumps.push({ offset, length });
  }

  /** Whether a line is the rest of one of these: together they have a checksum that holds. */
  isRest(line: Buffer, salt: string): boolean {
    return this.#stumps.some(({ offset, length }) => {
      const whole = Buffer.concat([this.#bytesAt(offset, length), line]);
      return isJournalLine(unsealed(whole, salt)?.value);
    });
  }
}
