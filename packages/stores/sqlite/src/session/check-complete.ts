import { Damage } from "@sessions/protocol/backend";
import type { StoredLive, StoredTombstone } from "@sessions/row-engine";
import type Database from "better-sqlite3";
import { preparedStatement } from "../engine/prepared-statement.js";
import type { Tables } from "../engine/tables/tables.js";
import type { SessionEntry } from "./session-entry.js";

/** How many rows a session has in tables that are not read by number. */
interface RowCounts {
  readonly labels: number;
  readonly parts: number;
  readonly references: number;
  readonly commits: number;
  readonly generated: number;
  readonly turns: number;
}

const NAMES: Readonly<Record<keyof RowCounts, string>> = {
  labels: "labels",
  parts: "parts",
  references: "log_references",
  commits: "memories (commit)",
  generated: "memories (generated)",
  turns: "memories (turn)",
};

const COUNTS = `SELECT
  (SELECT count(*) FROM labels WHERE key = @key) AS labels,
  (SELECT count(*) FROM parts WHERE key = @key) AS parts,
  (SELECT count(*) FROM log_references WHERE key = @key) AS "references",
  (SELECT count(*) FROM memories WHERE key = @key AND kind = 'commit') AS commits,
  (SELECT count(*) FROM memories WHERE key = @key AND kind = 'generated') AS generated,
  (SELECT count(*) FROM memories WHERE key = @key AND kind = 'turn') AS turns`;

/**
 * Finds out whether rows of a session are missing that nothing asks for by number: labels, parts, references to logs,
 * memories, and the end of a draft. A missing message is noticed by whoever reads it.
 */
export class CompletenessCheck {
  readonly #tables: Tables;
  readonly #counts: Database.Statement<[{ readonly key: number }], RowCounts>;

  constructor(db: Database.Database, tables: Tables) {
    this.#tables = tables;
    this.#counts = preparedStatement(db, COUNTS);
  }

  /** Throws `Damage` if something is missing. */
  require(entry: SessionEntry): void {
    const { key, log, logs, stored } = entry;
    const counts = this.#counts.get({ key });
    if (counts === undefined) return;
    if (stored.status === "deleted") {
      requireCounts(key, counts, ofTombstone(stored));
      return;
    }
    if (this.#tables.logs.get(log) === undefined) throw new Damage(`logs, number ${log}`, "is not there");
    requireCounts(key, counts, ofLive(stored, logs.size - 1));
    for (const [draft, extensions] of stored.hot.drafts) {
      if (this.#tables.messages.countExtensions(draft) !== extensions)
        throw new Damage(`extensions, row ${draft}`, "are not all there");
    }
  }
}

function ofLive({ hot }: StoredLive, references: number): RowCounts {
  return {
    labels: Object.keys(hot.labels).length,
    parts: hot.partCount,
    references,
    commits: hot.commits.stored,
    generated: hot.generated.stored,
    turns: hot.turns.stored,
  };
}

function ofTombstone({ commits, generated }: StoredTombstone): RowCounts {
  return {
    labels: 0,
    parts: 0,
    references: 0,
    commits: commits.stored,
    generated: generated.stored,
    turns: 0,
  };
}

function requireCounts(key: number, counts: RowCounts, expected: RowCounts): void {
  for (const name of ["labels", "parts", "references", "commits", "generated", "turns"] as const) {
    const [found, wanted] = [counts[name], expected[name]];
    if (found !== wanted)
      throw new Damage(`${NAMES[name]} of session ${key}`, `has ${found} rows instead of ${wanted}`);
  }
}
