import { type SessionState, stateOfImage } from "@sessions/protocol/backend";
import { joinArrays } from "../session/lines/array-chunks.js";
import { joinCommits } from "../session/lines/join-commits.js";
import type { BaseLine, CommitEntry, JournalLine } from "../session/lines/journal-line.js";

/** A commit by its names. */
export interface NamedCommit {
  readonly revision: number;
  readonly commitId: string;
}

/** A line behind damage whose checksum holds. */
export interface KeptLine {
  readonly record: JournalLine;
  readonly checksum: string;
}

interface Start {
  readonly last: string;
  readonly chunks: readonly (readonly unknown[])[];
}

interface KeptCommits {
  readonly commits: readonly CommitEntry[];
  readonly unreadable: readonly NamedCommit[];
  readonly base: SessionState | undefined;
}

/** The commits in lines that are kept, in the order in which they were written. Nothing counts after a seal. */
export function keptCommits(
  lines: readonly KeptLine[],
  start: Start,
  unreadable: readonly NamedCommit[],
): KeptCommits {
  const commits: CommitEntry[] = [];
  const names = [...unreadable];
  let base: SessionState | undefined;
  let [chunks, last] = [[...start.chunks], start.last];
  for (const { record, checksum } of lines) {
    if (record.p !== last) chunks = []; // one of them may be what is lost
    last = checksum;
    if ("seal" in record) break;
    if ("part" in record) {
      chunks.push(record.part);
      continue;
    }
    if ("base" in record) base ??= stateIn(record, chunks);
    else {
      const whole = joinCommits(record.commits, chunks);
      commits.push(...(whole ?? []));
      if (whole === undefined)
        names.push(...record.commits.map(({ r, k }) => ({ revision: r, commitId: k })));
    }
    chunks = [];
  }
  return { commits, unreadable: names, base };
}

function stateIn(line: BaseLine, chunks: readonly (readonly unknown[])[]): SessionState | undefined {
  const whole = joinArrays(line, chunks);
  return whole === undefined ? undefined : stateOfImage(whole.base);
}
