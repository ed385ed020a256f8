import {
  type ArchiveInfo,
  type CommitMemory,
  type CommitWindow,
  Damage,
  type History,
  type Json,
  type LiveState,
  layeredHistory,
  layeredMemory,
  parseStored,
  Runs,
  type Snapshot,
  type Tombstone,
  type TurnMemory,
} from "@sessions/protocol/backend";
import { checksum } from "../engine/checksum.js";
import type { EndedState, HotState, SnapshotPart } from "../hot-state.js";
import type { MessageRows } from "./message-rows.js";
import { RowSource } from "../row-source.js";
import { runsOf } from "../runs-of.js";
import type { PartRow, SessionRow, Statements } from "../engine/statements.js";
import {
  type Counted,
  type CountedGenerated,
  NOTHING_COUNTED,
  StoredGenerated,
  StoredMemory,
} from "../stored-memory.js";
import {
  type CountedMemories,
  NO_DRAFTS,
  NO_PARTS,
  type PartNumbers,
  type StoredSession,
} from "../stored-session.js";

/** Makes sessions of rows. */
export class SessionReader {
  readonly #statements: Statements;
  readonly #rows: MessageRows;

  constructor(statements: Statements, rows: MessageRows) {
    this.#statements = statements;
    this.#rows = rows;
  }

  /** `known`: an earlier version, whose parts are used if they have not changed. */
  read(row: SessionRow, known?: StoredSession): StoredSession {
    requireChecksum(row);
    return row.deleted_at === null ? this.#live(row, known) : this.#ended(row, row.deleted_at);
  }

  #live(row: SessionRow, known?: StoredSession): StoredSession {
    const hot = parseStored<HotState>(row.state, `sessions, key ${row.key}`);
    const parts = this.#parts(row, hot, known);
    const log = {
      id: row.log,
      nextRow: row.next_row,
      layout: row.layout ?? 0,
      sharedUntil: row.shared_until ?? 0,
    };
    const counted = { commits: hot.commits, turns: hot.turns, generated: hot.generated };
    const state = this.#state(row, hot, parts, counted);
    const drafts = hot.drafts === undefined ? NO_DRAFTS : new Map(hot.drafts);
    const { topId } = hot;
    return { ...identity(row), state, log, parts: parts.numbers, counted, topId, drafts, text: undefined };
  }

  #ended(row: SessionRow, deletedAt: number): StoredSession {
    const { commits, generated } = parseStored<EndedState>(row.state, `sessions, key ${row.key}`);
    const counted = { commits, turns: NOTHING_COUNTED, generated };
    const state: Tombstone = {
      status: "deleted",
      revision: row.revision,
      deletedAt,
      commits: this.window(row.key, counted),
    };
    return {
      ...identity(row),
      state,
      parts: NO_PARTS,
      counted,
      topId: "",
      drafts: NO_DRAFTS,
      text: undefined,
    };
  }

  #state(row: SessionRow, hot: HotState, parts: Parts, counted: CountedMemories): LiveState {
    const { title, parent, turn, lastTurn, unknownFields } = hot;
    return {
      status: "live",
      incarnation: hot.incarnation,
      revision: row.revision,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
      ...(hot.expiresIn === undefined ? {} : { expiresIn: hot.expiresIn }),
      ...(hot.renewOnUse === undefined ? {} : { renewOnUse: hot.renewOnUse }),
      ...(title === undefined ? {} : { title }),
      labels: hot.labels,
      metadata: Object.fromEntries([...parts.numbers.metadata].map(([name, { value }]) => [name, value])),
      counters: hot.counters,
      ...(parent && { parent }),
      history: parts.history,
      // A row that does not say: only a base at this very revision is safe.
      rewrittenAt: hot.rewrittenAt ?? row.revision,
      snapshots: [...parts.numbers.snapshots.keys()],
      ...(turn && { turn }),
      queue: hot.queue,
      ...(lastTurn && { lastTurn }),
      finishedTurns: this.turns(row.key, counted.turns),
      commits: this.window(row.key, counted),
      ...(unknownFields && { unknownFields }),
    };
  }

  window(key: number, { commits, generated }: Pick<CountedMemories, "commits" | "generated">): CommitWindow {
    return {
      given: layeredMemory(new StoredMemory<CommitMemory>(this.#statements, key, "commit", commits)),
      generated: this.generated(key, generated),
    };
  }

  generated(key: number, counted: CountedGenerated): CommitWindow["generated"] {
    return layeredMemory(new StoredGenerated(this.#statements, key, counted));
  }

  turns(key: number, counted: Counted): LiveState["finishedTurns"] {
    return layeredMemory(new StoredMemory<TurnMemory>(this.#statements, key, "turn", counted));
  }

  #parts(row: SessionRow, hot: HotState, known: StoredSession | undefined): Parts {
    const unchanged =
      known !== undefined && known.key === row.key && known.partsVersion === row.parts_version;
    const numbers = unchanged ? known.parts : this.#readParts(row, hot);
    const archives = byNumber(numbers.archives);
    const history = this.historyOf(
      Runs.fromJson(hot.head),
      { ...hot, archives: hot.archives.map((n) => required(archives.get(n), row.key, n)) },
      hot.topId,
      [...numbers.snapshots.keys()],
    );
    return { numbers, history };
  }

  #readParts(row: SessionRow, hot: HotState): PartNumbers {
    if (row.parts_version === 0) return { ...NO_PARTS, next: hot.nextPart };
    const metadata = new Map<string, { readonly n: number; readonly value: Json }>();
    const archives = new Map<ArchiveInfo, number>();
    const snapshots = new Map<Snapshot, number>();
    for (const part of this.#statements.parts.all(row.key)) {
      const location = `parts of session ${row.key}, number ${part.n}`;
      if (partChecksum(row.key, part) !== part.crc) throw new Damage(location, "does not match its checksum");
      if (part.kind === "metadata") {
        const [name, value] = parseStored<readonly [string, Json]>(part.body, location);
        metadata.set(name, { n: part.n, value });
      } else if (part.kind === "archive") archives.set(parseStored<ArchiveInfo>(part.body, location), part.n);
      else
        snapshots.set(
          this.#snapshot(row.key, parseStored(part.body, location), archives, hot, snapshots),
          part.n,
        );
    }
    return { next: hot.nextPart, metadata, archives, snapshots };
  }

  #snapshot(
    key: number,
    part: SnapshotPart,
    archives: ReadonlyMap<ArchiveInfo, number>,
    { topId }: HotState,
    others: ReadonlyMap<Snapshot, number>,
  ): Snapshot {
    const { name, createdAt, revision, messageCount, unknownFields } = part;
    const numbers = byNumber(archives);
    const listed = part.archives.map((n) => required(numbers.get(n), key, n));
    const history = this.historyOf(Runs.fromJson(part.head), { ...part, archives: listed }, topId, [
      ...others.keys(),
    ]);
    return { name, createdAt, revision, messageCount, history, ...(unknownFields && { unknownFields }) };
  }

  /** A history; the same messages as in one of the snapshots are the very same object. */
  historyOf(
    runs: Runs,
    { liveFrom, partials, archives }: Pick<History, "liveFrom" | "partials" | "archives">,
    topId: string,
    snapshots: readonly Snapshot[],
  ): History {
    const same = snapshots.find(({ history }) => runsOf(history).equals(runs));
    if (same !== undefined) return { ...same.history, liveFrom, partials, archives };
    return layeredHistory(new RowSource(runs, this.#rows, topId), { liveFrom, partials, archives });
  }
}

interface Parts {
  readonly numbers: PartNumbers;
  readonly history: History;
}

function identity(
  row: SessionRow,
): Pick<StoredSession, "key" | "id" | "version" | "partsVersion" | "change"> {
  const { key, id, version, parts_version: partsVersion, change } = row;
  return { key, id, version, partsVersion, change };
}

function byNumber(archives: ReadonlyMap<ArchiveInfo, number>): ReadonlyMap<number, ArchiveInfo> {
  return new Map([...archives].map(([archive, n]) => [n, archive]));
}

function required(archive: ArchiveInfo | undefined, key: number, n: number): ArchiveInfo {
  if (archive === undefined) throw new Damage(`parts of session ${key}, number ${n}`, "is not there");
  return archive;
}

/** Throws `Damage` if the row is not what was written. */
export function requireChecksum(
  row: Parameters<typeof sessionChecksum>[0] & Pick<SessionRow, "key" | "crc">,
): void {
  if (sessionChecksum(row) !== row.crc)
    throw new Damage(`sessions, key ${row.key}`, "does not match its checksum");
}

export function sessionChecksum(
  row: Omit<SessionRow, "key" | "crc" | "version" | "parts_version" | "change" | "layout" | "shared_until">,
): number {
  return checksum(
    row.id,
    row.revision,
    row.created_at,
    row.updated_at,
    row.expires_at,
    row.deleted_at,
    row.log,
    row.next_row,
    row.state,
  );
}

export function partChecksum(key: number, part: Pick<PartRow, "n" | "kind" | "body">): number {
  return checksum(key, part.n, part.kind, part.body);
}
