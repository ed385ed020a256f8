import { type SessionState, stateOfImage } from "@sessions/protocol/backend";
import { joined } from "../session/lines/array-chunks.js";
import { joinedCommits } from "../session/lines/join-commits.js";
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
  readonly parts: readonly (readonly unknown[])[];
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
  let [parts, last] = [[...start.parts], start.last];
  for (const { record, checksum } of lines) {
    if (record.p !== last) parts = []; // one of them may be what is lost
    last = checksum;
    if ("seal" in record) break;
    if ("part" in record) {
      parts.push(record.part);
      continue;
    }
    if ("base" in record) base ??= stateIn(record, parts);
    else {
      const whole = joinedCommits(record.commits, parts);
      commits.push(...(whole ?? []));
      if (whole === undefined)
        names.push(...record.commits.map(({ r, k }) => ({ revision: r, commitId: k })));
    }
    parts = [];
  }
  return { commits, unreadable: names, base };
}

function stateIn(line: BaseLine, parts: readonly (readonly unknown[])[]): SessionState | undefined {
  const whole = joined(line, parts);
  return whole === undefined ? undefined : stateOfImage(whole.base);
}
