import { type CommitMemory, Damage } from "@sessions/protocol/backend";
import { isAfterMaxId } from "../session/max-id.js";
import type { MemoryEntries, MemoryKind, SessionRows } from "../session/session-rows.js";
import type { GeneratedCounts, GeneratedEntry, MemoryCounts } from "./memory-counts.js";
import type { MemorySource } from "./row-memory.js";

/** Commits whose ids callers chose, or finished turns. */
export function storedMemory<Kind extends Exclude<MemoryKind, "generated">>(
  rows: SessionRows,
  kind: Kind,
  { stored, horizon }: MemoryCounts,
): MemorySource<MemoryEntries[Kind]> {
  return {
    horizon,
    get: (id) => (stored === 0 ? undefined : rows.remembered(kind, id)),
    entries: () => allStored(rows, kind, stored),
  };
}

/** Commits with generated ids. */
export function generatedMemory(
  rows: SessionRows,
  { stored, horizon, maxId, newest }: GeneratedCounts,
): MemorySource<CommitMemory> {
  return {
    horizon,
    get(id) {
      if (isAfterMaxId(id, maxId)) return undefined;
      const entry = newest.find((one) => one[0] === id);
      if (entry !== undefined) return generatedCommit(entry);
      return stored === 0 ? undefined : rows.remembered("generated", id);
    },
    entries: () => [...allStored(rows, "generated", stored), ...newest.map(generatedCommit)],
  };
}

/** All entries of a kind. One that is missing is damage. */
function allStored<Kind extends MemoryKind>(
  rows: SessionRows,
  kind: Kind,
  stored: number,
): readonly MemoryEntries[Kind][] {
  const entries = stored === 0 ? [] : rows.allRemembered(kind);
  if (entries.length === stored) return entries;
  throw new Damage(`memories (${kind})`, `has ${entries.length} entries instead of ${stored}`);
}

export function generatedCommit([id, revision, at, skipped]: GeneratedEntry): CommitMemory {
  return { id, revision, at, ...(skipped === undefined ? {} : { skipped }) };
}
