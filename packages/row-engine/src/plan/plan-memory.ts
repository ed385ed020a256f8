import {
  type CommitMemory,
  type CommitWindow,
  GENERATED_COMMIT_RETENTION,
  GIVEN_COMMIT_RETENTION,
  type Memory,
  type Remembered,
  type Retention,
} from "@sessions/protocol/backend";
import {
  type GeneratedCounts,
  type GeneratedEntry,
  type MemoryCounts,
  NOTHING_GENERATED,
  NOTHING_REMEMBERED,
} from "../memory/memory-counts.js";
import { memoryChangesOf } from "../memory/row-memory.js";
import { generatedCommit } from "../memory/stored-memory.js";
import { maxIdOf } from "../session/max-id.js";
import type { MemoryKind, SessionRows } from "../session/session-rows.js";
import type { MemoryPlan, MemoryWrite } from "./write-plan.js";

/** Entries are forgotten in steps of this many, because each step looks through all that is remembered. */
const FORGET_STEP = 512;

/** Generated commit ids move out of the session's record when there are this many. */
const MAX_NEWEST = 16;

/** Plans what is written of the memories of one session. */
export class MemoryPlanner {
  readonly #rows: SessionRows;
  readonly #now: number;
  readonly plans: MemoryPlan[] = [];

  constructor(rows: SessionRows, now: number) {
    this.#rows = rows;
    this.#now = now;
  }

  /** The entries of a memory that are new, and the counts afterwards. */
  plan<Entry extends Remembered>(
    kind: MemoryKind,
    memory: Memory<Entry>,
    before: MemoryCounts,
    retention: Retention,
  ): MemoryCounts {
    const { source, added, horizon } = memoryChangesOf(memory);
    const clears = source === undefined;
    const base = clears ? { ...NOTHING_REMEMBERED, horizon } : before;
    return this.#add(kind, clears && before.stored > 0, added, base, retention);
  }

  planCommits(
    { given, generated }: CommitWindow,
    before: { readonly commits: MemoryCounts; readonly generated: GeneratedCounts },
  ): { readonly commits: MemoryCounts; readonly generated: GeneratedCounts } {
    return {
      commits: this.plan("commit", given, before.commits, GIVEN_COMMIT_RETENTION),
      generated: this.#planGenerated(generated, before.generated),
    };
  }

  /** Everything of one kind is forgotten. */
  clear(kind: MemoryKind, { stored }: MemoryCounts): void {
    if (stored > 0) this.plans.push({ kind, clears: true, add: [], forget: undefined });
  }

  #planGenerated(memory: Memory<CommitMemory>, before: GeneratedCounts): GeneratedCounts {
    const { source, added } = memoryChangesOf(memory);
    if (source === undefined) this.clear("generated", before);
    const base = source === undefined ? { ...NOTHING_GENERATED, next: before.next } : before;
    if (added.length === 0) return base;
    const newest = [...base.newest, ...added.map(entryOf)];
    const maxId = added.reduce((max, { id }) => maxIdOf(max, id), base.maxId);
    if (newest.length < MAX_NEWEST) return { ...base, newest, maxId };
    const counts = this.#add(
      "generated",
      false,
      newest.map(generatedCommit),
      base,
      GENERATED_COMMIT_RETENTION,
    );
    return { ...counts, newest: [], maxId };
  }

  #add(
    kind: MemoryKind,
    clears: boolean,
    added: readonly Remembered[],
    base: MemoryCounts,
    retention: Retention,
  ): MemoryCounts {
    if (added.length === 0 && !clears) return base;
    const add = added.map((entry, index): MemoryWrite => {
      const { id, at } = entry;
      return { n: base.next + index, id, at, body: JSON.stringify(entry) };
    });
    const { next, stored, horizon, forgetAt } = base;
    const grown = { next: next + add.length, stored: stored + add.length, horizon, forgetAt };
    const forget = { n: grown.next - retention.count, at: this.#now - retention.ms };
    const isDue = grown.stored > retention.count + FORGET_STEP && grown.next >= forgetAt;
    const found = isDue ? this.#rows.forgettable(kind, forget) : NOTHING_FOUND;
    this.plans.push({ kind, clears, add, forget: found.count > 0 ? forget : undefined });
    return {
      ...grown,
      stored: grown.stored - found.count,
      horizon: Math.max(horizon, found.newestAt),
      forgetAt: isDue && found.count === 0 ? grown.next + FORGET_STEP : forgetAt,
    };
  }
}

const NOTHING_FOUND = { count: 0, newestAt: 0 };

function entryOf({ id, revision, at, skipped }: CommitMemory): GeneratedEntry {
  return skipped === undefined ? [id, revision, at] : [id, revision, at, skipped];
}
