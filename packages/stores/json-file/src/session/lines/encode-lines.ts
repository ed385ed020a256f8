import { type ChecksummedLine, checksummedLine, NO_SALT } from "./checksummed-line.js";
import { JOURNAL_VERSION } from "./journal-line.js";
import type { LineBody } from "./line-bodies.js";

/** Where a write begins, and in whose name. */
export interface WritePosition {
  readonly offset: number;
  /** The checksum of the line before it that counts. */
  readonly last: string;
  readonly writer: string;
  readonly salt: string;
  /** Where the oldest write of the same writer begins that the disk has not confirmed: this one, or one before it. */
  readonly unconfirmedFrom: number;
}

/** The lines of one write. */
export function encodeLines(bodies: Iterable<LineBody>, position: WritePosition): readonly ChecksummedLine[] {
  const lines: ChecksummedLine[] = [];
  let { offset, last } = position;
  for (const body of bodies) {
    const line = encodeLine(body, { ...position, offset, last });
    lines.push(line);
    offset += line.bytes.length;
    last = line.checksum;
  }
  return lines;
}

/** One line. Says where the unconfirmed writes begin, unless that is this line. */
export function encodeLine(body: LineBody, position: WritePosition): ChecksummedLine {
  const { offset, last, writer, salt, unconfirmedFrom } = position;
  const earlier = unconfirmedFrom < offset ? `,"b":${unconfirmedFrom}` : "";
  return checksummedLine(`{"o":${offset},"p":"${last}","w":"${writer}"${earlier},${body}`, salt);
}

/** The first line of a segment. */
export function encodeHeader(header: {
  readonly id: string;
  readonly g: number;
  readonly salt: string;
}): ChecksummedLine {
  const { id, g, salt } = header;
  const text = JSON.stringify({ format: "sessions-journal", v: JOURNAL_VERSION, id, g, salt });
  return checksummedLine(text.slice(0, -1), NO_SALT);
}
