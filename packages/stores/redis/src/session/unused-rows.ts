import { parseStored } from "@sessions/protocol/backend";
import { type Run, runDifference } from "@sessions/row-engine";

/** Rows that large commits write ahead: from, up to and without to, and when they were reserved. */
type StagedRun = readonly [from: number, to: number, at: number];

/** Rows of a session that no history refers to. */
export interface UnusedRows {
  /** To be removed. */
  readonly released: readonly Run[];
  /** To be used by a commit that is under way, unless they are old. */
  readonly staged: readonly StagedRun[];
}

export const NO_UNUSED_ROWS: UnusedRows = { released: [], staged: [] };

/** The text of the field; empty if there are none. */
export function unusedRowsText({ released, staged }: UnusedRows): string {
  if (released.length === 0 && staged.length === 0) return "";
  return JSON.stringify({ released: released.map(({ from, to }) => [from, to]), staged });
}

export function readUnusedRows(text: string | undefined, location: string): UnusedRows {
  if (text === undefined) return NO_UNUSED_ROWS;
  const { released, staged } = parseStored<{
    readonly released: readonly (readonly [number, number])[];
    readonly staged: readonly StagedRun[];
  }>(text, location);
  return { released: released.map(([from, to]) => ({ from, to })), staged };
}

/** With more rows to remove. */
export function withReleased({ released, staged }: UnusedRows, more: readonly Run[]): UnusedRows {
  if (more.length === 0) return { released, staged };
  return { released: runDifference([...released, ...more], []), staged };
}

/** Without rows that were removed. */
export function withoutReleased({ released, staged }: UnusedRows, removed: readonly Run[]): UnusedRows {
  return { released: runDifference(released, removed), staged };
}
