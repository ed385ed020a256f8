import { parseChecksummed } from "./checksummed-line.js";
import { isJournalLine } from "./journal-line.js";

/** Ends a line that its writer could not finish: with this it is no record, whatever it began with. */
export const TORN: Buffer = Buffer.from("#torn\n");

/** Disks write whole sectors of this many bytes. */
const SECTOR_BYTES = 512;

const RECORD_START = Buffer.from('{"o":');

/** Whether a later writer closed the line. */
export function isTorn(line: Buffer): boolean {
  return line.subarray(-(TORN.length - 1)).equals(TORN.subarray(0, -1));
}

/**
 * Whether sectors of a line never reached the disk: zeros, from where a write began to the end of a sector or of the
 * line. JSON holds no zeros. A write begins with a line or behind a torn one, which is anywhere; but a single zero in
 * the middle of a line is a spoilt byte, unless it was the first one of what closes a torn line.
 */
export function hasUnwrittenSectors(line: Buffer, offset: number): boolean {
  let from = line.indexOf(0);
  if (from < 0) return false;
  while (from >= 0) {
    let to = from;
    while (to < line.length && line[to] === 0) to++;
    const ends = to === line.length || (offset + to) % SECTOR_BYTES === 0;
    const begins = from === 0 || (offset + from) % SECTOR_BYTES === 0 || to - from > 1;
    if (!ends || !(begins || line.subarray(to).equals(TORN.subarray(1, -1)))) return false;
    from = line.indexOf(0, to);
  }
  return true;
}

/**
 * A writer that was overtaken by one that died in the middle of its line: its own line stands behind that stump,
 * without a line end between them. Returns the length of the stump.
 */
export function stumpBeforeRecord(line: Buffer, offset: number, salt: string): number | undefined {
  for (let at = line.indexOf(RECORD_START, 1); at >= 0; at = line.indexOf(RECORD_START, at + 1)) {
    const record = parseChecksummed(line.subarray(at), salt)?.value;
    if (isJournalLine(record) && record.o < offset + at) return at;
  }
  return undefined;
}
