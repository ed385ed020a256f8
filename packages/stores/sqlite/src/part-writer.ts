import type { ArchiveInfo, History, Json, JsonObject, Runs, Snapshot } from "@sessions/protocol/backend";
import type { SnapshotPart } from "./hot-state.js";
import { partChecksum } from "./session-reader.js";
import type { Statements } from "./statements.js";
import type { MetadataPart, PartNumbers } from "./stored-session.js";

/** Writes those parts of a session that have changed. */
export class PartWriter {
  readonly #statements: Statements;
  readonly #key: number;
  readonly #before: PartNumbers;
  #next: number;
  #hasWritten = false;

  constructor(statements: Statements, key: number, before: PartNumbers) {
    this.#statements = statements;
    this.#key = key;
    this.#before = before;
    this.#next = before.next;
  }

  /** Whether anything was written or deleted. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** `placed` says which rows the messages of a new snapshot are. */
  write(
    metadata: JsonObject,
    history: History,
    snapshots: readonly Snapshot[],
    placed: ReadonlyMap<Snapshot, Runs>,
  ): PartNumbers {
    const kept = this.#metadata(metadata);
    const archives = this.#archives([history, ...snapshots.map((snapshot) => snapshot.history)]);
    return {
      metadata: kept,
      archives,
      snapshots: this.#snapshots(snapshots, archives, placed),
      next: this.#next,
    };
  }

  #metadata(metadata: JsonObject): ReadonlyMap<string, MetadataPart> {
    const before = this.#before.metadata;
    const after = new Map<string, MetadataPart>();
    for (const [name, value] of Object.entries(metadata)) {
      const known = before.get(name);
      if (known !== undefined && isSame(known.value, value)) after.set(name, known);
      else after.set(name, { n: this.#put("metadata", JSON.stringify([name, value]), known?.n), value });
    }
    for (const [name, { n }] of before) if (!after.has(name)) this.#drop(n);
    return after;
  }

  /** Every archive that the session or a snapshot of it has. A settled one is another part: a snapshot may hold the old. */
  #archives(histories: readonly History[]): ReadonlyMap<ArchiveInfo, number> {
    const before = this.#before.archives;
    const after = new Map<ArchiveInfo, number>();
    for (const archive of histories.flatMap((history) => history.archives)) {
      if (after.has(archive)) continue;
      after.set(archive, before.get(archive) ?? this.#put("archive", JSON.stringify(archive)));
    }
    for (const [archive, n] of before) if (!after.has(archive)) this.#drop(n);
    return after;
  }

  #snapshots(
    snapshots: readonly Snapshot[],
    archives: ReadonlyMap<ArchiveInfo, number>,
    placed: ReadonlyMap<Snapshot, Runs>,
  ): ReadonlyMap<Snapshot, number> {
    const before = this.#before.snapshots;
    const after = new Map<Snapshot, number>();
    for (const snapshot of snapshots) {
      const body = (): string => JSON.stringify(partOf(snapshot, archives, placed.get(snapshot)));
      after.set(snapshot, before.get(snapshot) ?? this.#put("snapshot", body()));
    }
    for (const [snapshot, n] of before) if (!after.has(snapshot)) this.#drop(n);
    return after;
  }

  #put(kind: string, body: string, known?: number): number {
    const n = known ?? this.#next++;
    this.#statements.writePart.run(this.#key, n, kind, body, partChecksum(this.#key, { n, kind, body }));
    this.#hasWritten = true;
    return n;
  }

  #drop(n: number): void {
    this.#statements.deletePart.run(this.#key, n);
    this.#hasWritten = true;
  }
}

/** As text, because the order of keys counts. */
function isSame(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function partOf(
  { name, createdAt, revision, messageCount, history, unknownFields }: Snapshot,
  archives: ReadonlyMap<ArchiveInfo, number>,
  runs: Runs | undefined,
): SnapshotPart {
  return {
    name,
    createdAt,
    revision,
    messageCount,
    head: runs?.toJson() ?? [],
    liveFrom: history.liveFrom,
    partials: history.partials,
    archives: history.archives.map((archive) => archives.get(archive) ?? 0),
    unknownFields,
  };
}
