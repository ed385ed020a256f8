import { NO_SALT, type SealedLine, sealed } from "./checksummed-line.js";
import { JOURNAL_VERSION } from "./journal-line.js";
import type { Fragment } from "./line-bodies.js";

/** Where a write begins: after which line, and in whose name. */
export interface WritePlace {
  readonly offset: number;
  /** The checksum of the line before. */
  readonly last: string;
  readonly writer: string;
  readonly salt: string;
  /** Where the oldest write of the same writer begins that the disk has not confirmed: this one, or one before it. */
  readonly unconfirmed: number;
}

/** The lines of one write. */
export function composed(fragments: Iterable<Fragment>, place: WritePlace): readonly SealedLine[] {
  const all = Array.isArray(fragments) ? fragments : [...fragments];
  const [only] = all;
  const alone = all.length === 1 && place.unconfirmed >= place.offset;
  if (alone && only !== undefined) return [composedLine(only, place, undefined)];
  const first = place.unconfirmed;
  const lines: SealedLine[] = [];
  let { offset, last } = place;
  for (const fragment of all) {
    const line = composedLine(fragment, { ...place, offset, last }, first);
    lines.push(line);
    offset += line.bytes.length;
    last = line.checksum;
  }
  return lines;
}

/** One line. `first` is where what the disk has not confirmed begins, if that is not this line. */
export function composedLine(
  fragment: Fragment,
  place: Omit<WritePlace, "unconfirmed">,
  first: number | undefined,
): SealedLine {
  const { offset, last, writer, salt } = place;
  const write = first === undefined ? "" : `,"b":${first}`;
  return sealed(`{"o":${offset},"p":"${last}","w":"${writer}"${write},${fragment}`, salt);
}

/** The first line of a segment. */
export function composedHeader(header: {
  readonly id: string;
  readonly g: number;
  readonly salt: string;
}): SealedLine {
  const { id, g, salt } = header;
  const text = JSON.stringify({ format: "sessions-journal", v: JOURNAL_VERSION, id, g, salt });
  return sealed(text.slice(0, -1), NO_SALT);
}
