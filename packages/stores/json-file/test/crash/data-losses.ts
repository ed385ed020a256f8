import type { CachedFile, Write } from "./disk-cache.js";
import { isTornAt, type Tears } from "./tears.js";

/** The contents of a file as a power cut leaves them. */
export interface DataLoss {
  readonly how: string;
  readonly bytes: Buffer;
  /**
   * Bytes of one writer are missing and later bytes of another are there. The other wrote in the belief that the
   * missing ones were, so they may have been acknowledged: nobody can tell this gap from the loss of acknowledged
   * bytes. Here, and only here, SESSION_CORRUPTED is the right answer. The state without the missing bytes is right
   * too, where it breaks no promise; any other state is silently wrong.
   */
  readonly gap: boolean;
}

const SECTOR = 512;

/** The ways in which the unsynced bytes of a file may reach the disk, or not. */
export function dataLosses(file: CachedFile, tears: Tears): readonly DataLoss[] {
  return [
    { how: "kept", bytes: file.bytes, gap: false },
    ...tornSizes(file, tears).map((size) => ({
      how: `torn at ${size}`,
      bytes: file.bytes.subarray(0, size),
      gap: false,
    })),
    ...zeroRuns(file).map((run) => zeroed(file, run)),
  ];
}

/** At the synced size (all lost), at sectors, at line ends, and inside the last line. */
function tornSizes({ bytes, synced }: CachedFile, tears: Tears): readonly number[] {
  const sizes = new Set([synced]);
  for (let size = nextSector(synced); size < bytes.length; size += SECTOR) sizes.add(size);
  for (let end = bytes.indexOf(10, synced); end >= 0; end = bytes.indexOf(10, end + 1)) sizes.add(end + 1);
  const lastLine = Math.max(synced, bytes.lastIndexOf(10, bytes.length - 2) + 1);
  const length = bytes.length - lastLine;
  for (let kept = 0; kept < length; kept++) if (isTornAt(kept, length, tears)) sizes.add(lastLine + kept);
  sizes.delete(bytes.length);
  return [...sizes];
}

interface Run {
  readonly how: string;
  readonly from: number;
  readonly end: number;
}

/** Size kept, bytes not: all that is unsynced, each sector of it, each write of it. */
function zeroRuns({ bytes, synced, writes }: CachedFile): readonly Run[] {
  const runs: Run[] = [{ how: "zeros", from: synced, end: bytes.length }];
  for (let from = synced; from < bytes.length; from = nextSector(from)) {
    runs.push({ how: "sector lost", from, end: Math.min(nextSector(from), bytes.length) });
  }
  for (const { from, end } of writes) {
    if (end > synced) runs.push({ how: "write dropped", from: Math.max(from, synced), end });
  }
  return runs;
}

function zeroed({ bytes, writes }: CachedFile, { how, from, end }: Run): DataLoss {
  const left = Buffer.from(bytes).fill(0, from, end);
  return { how: `${how} ${from}–${end}`, bytes: left, gap: builtUpon(writes, from, end) };
}

/** Whether bytes that are gone stood before kept ones of another writer. */
function builtUpon(writes: readonly Write[], from: number, end: number): boolean {
  const gone = writes.filter((write) => write.end > from && write.from < end);
  return writes.some(
    (later) =>
      later.end > end && gone.some((write) => write.from < later.from && write.process !== later.process),
  );
}

function nextSector(size: number): number {
  return (Math.floor(size / SECTOR) + 1) * SECTOR;
}
