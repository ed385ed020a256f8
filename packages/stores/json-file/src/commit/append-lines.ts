import type { SessionState } from "@sessions/protocol/backend";
import { outcomeUnknown } from "../error-mapping.js";
import type { ChecksummedLine } from "../session/lines/checksummed-line.js";
import { TORN } from "../session/lines/crash-traces.js";
import { encodeLines } from "../session/lines/encode-lines.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import type { LineBody } from "../session/lines/line-bodies.js";
import type { Segment } from "../session/segment.js";

/** What is appended, and the state that it leads to. */
export interface Addition {
  readonly writer: string;
  readonly bodies: readonly LineBody[];
  readonly state: SessionState | undefined;
  readonly entries: readonly CommitEntry[];
  /** Whether the writer waits for the disk. */
  readonly durable: boolean;
}

const NOTHING = Buffer.alloc(0);

/**
 * Appends behind what was read of a segment, in one write. The byte offset is the compare-and-swap: a line counts only
 * where it says that it stands. `"overtaken"`: others wrote first, and nothing of this counts. `"full"`: there was no room
 * for all of it, and whole lines of it may count. Fails with OUTCOME_UNKNOWN once its bytes may be there.
 */
export function appendLines(segment: Segment, addition: Addition): "appended" | "overtaken" | "full" {
  const { fold, seen: start, progress } = segment;
  fold.requireSound();
  // Since it was read, another call may have followed a seal, behind which nothing counts, and closed it.
  if (fold.sealedTo !== undefined || !segment.isOpen) return "overtaken";
  const unfinished = segment.unfinished();
  // A bare line end could complete an unfinished line, and revive a commit that was reported as failed.
  const torn = unfinished.length > 0 ? TORN : NOTHING;
  const lines = encodeLines(addition.bodies, {
    offset: start + torn.length,
    last: fold.last,
    writer: addition.writer,
    salt: fold.header?.salt ?? "",
    unconfirmedFrom: progress.unconfirmedFrom ?? start,
  });
  const bytes = concatenated(torn, lines);
  // The rest of a short write is never written: others may have written since.
  if (written(segment, start, bytes) < bytes.length) return "full";
  if (!hasLanded(segment, start, bytes)) return "overtaken";
  if (addition.durable) progress.wrote(start, start + bytes.length);
  const { state, entries } = addition;
  segment.advance(unfinished, bytes, { skipped: unfinished.length + torn.length, lines, state, entries });
  return "appended";
}

function written(segment: Segment, start: number, bytes: Buffer): number {
  try {
    return segment.write(bytes);
  } catch (error) {
    throw writeFailure(segment, start, bytes, error);
  }
}

/** A write that failed has changed nothing if not even its first line stands where it should. */
function writeFailure(segment: Segment, start: number, bytes: Buffer, error: unknown): unknown {
  const first = bytes.subarray(0, bytes.indexOf(10, TORN.length) + 1);
  try {
    return segment.holds(start, first) ? outcomeUnknown(segment.path, error) : error;
  } catch (readError) {
    const both = new AggregateError([error, readError], "a write failed, and what it left cannot be read");
    return outcomeUnknown(segment.path, both);
  }
}

/** From here on the bytes are in the file, and no failure may say that nothing was changed. */
function hasLanded(segment: Segment, start: number, bytes: Buffer): boolean {
  try {
    return segment.standsAt(start, bytes);
  } catch (error) {
    throw outcomeUnknown(segment.path, error);
  }
}

/** Mostly one line and nothing else, which need not be copied. */
function concatenated(torn: Buffer, lines: readonly ChecksummedLine[]): Buffer {
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && torn.length === 0) return only.bytes;
  return Buffer.concat([torn, ...lines.map((line) => line.bytes)]);
}
