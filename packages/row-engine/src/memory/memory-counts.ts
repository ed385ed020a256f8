/** How much is stored of a memory. */
export interface MemoryCounts {
  /** The number of the next entry. */
  readonly next: number;
  /** How many entries are stored: a missing one is noticed. */
  readonly stored: number;
  /** The time of the newest forgotten entry. */
  readonly horizon: number;
  /** The number of the entry with which forgetting is tried again. */
  readonly forgetAt: number;
}

export const NOTHING_REMEMBERED: MemoryCounts = { next: 0, stored: 0, horizon: 0, forgetAt: 0 };

/** A commit with a generated id, as the session's record keeps it: `[id, revision, at, skipped]`. */
export type GeneratedEntry = readonly [
  id: string,
  revision: number,
  at: number,
  skipped?: readonly string[] | undefined,
];

/** The same for generated commit ids. Nearly every commit adds one, so the newest are in the session's record. */
export interface GeneratedCounts extends MemoryCounts {
  readonly maxId: string;
  readonly newest: readonly GeneratedEntry[];
}

export const NOTHING_GENERATED: GeneratedCounts = { ...NOTHING_REMEMBERED, maxId: "", newest: [] };
