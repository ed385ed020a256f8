import { Damage, parseStored } from "@sessions/protocol/backend";
import type { EndedState, HotState } from "../hot-state.js";
import type { SessionRow, Statements } from "../engine/statements.js";
import type { StoredCounts } from "../stored-counts.js";

/**
 * Throws `Damage` if rows of a session are gone that nothing else would ask for by number: metadata, snapshots, remembered commit ids and
 * turns, labels, the end of a message that is being written. A message that is gone is noticed by whoever reads it.
 */
export function requireComplete(statements: Statements, row: SessionRow): void {
  const location = `sessions, key ${row.key}`;
  const counts = statements.countOf.get({ key: row.key });
  if (counts === undefined) return;
  if (row.deleted_at !== null) {
    const { commits } = parseStored<EndedState>(row.state, location);
    requireCounts(row.key, counts, { commits: commits.rows });
    return;
  }
  if (row.layout === null) throw new Damage(`logs, number ${row.log}`, "is not there");
  const hot = parseStored<HotState>(row.state, location);
  requireCounts(row.key, counts, {
    labels: Object.keys(hot.labels).length,
    parts: hot.partCount,
    commits: hot.commits.rows,
    turns: hot.turns.rows,
  });
  for (const [message, count] of hot.drafts ?? []) {
    if (statements.countFragments.get(message) !== count)
      throw new Damage(`fragments, row ${message}`, "are not all there");
  }
}

type Expected = { readonly [Name in keyof StoredCounts]?: number | undefined };

const TABLES: Readonly<Record<keyof StoredCounts, string>> = {
  labels: "labels",
  parts: "parts",
  commits: "memories (commit)",
  turns: "memories (turn)",
};

function requireCounts(key: number, counts: StoredCounts, expected: Expected): void {
  for (const name of ["labels", "parts", "commits", "turns"] as const) {
    const count = expected[name];
    if (count !== undefined && counts[name] !== count)
      throw new Damage(`${TABLES[name]} of session ${key}`, `has ${counts[name]} rows instead of ${count}`);
  }
}
