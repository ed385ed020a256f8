import type { ArchiveInfo, History, Json, LiveState, Snapshot } from "@sessions/protocol/backend";
import {
  metadataText,
  type PartKind,
  type PartRow,
  type StoredParts,
  type StoredSnapshot,
  snapshotText,
} from "../session/stored-parts.js";

/** Which parts of a session are written and which go, and what is there afterwards. */
export interface PartsPlan {
  readonly stored: StoredParts;
  /** The numbers of the parts that the session's archives are in. */
  readonly archives: readonly number[];
  /** How many parts there are. */
  readonly count: number;
  readonly nextPart: number;
  readonly put: readonly PartRow[];
  readonly remove: readonly number[];
}

/** Plans the parts of a session. */
export class PartPlanner {
  readonly #before: StoredParts;
  readonly #archiveParts: Map<ArchiveInfo, number>;
  readonly #put: PartRow[] = [];
  readonly #remove: number[] = [];
  #nextPart: number;

  constructor(before: StoredParts, nextPart: number) {
    this.#before = before;
    this.#archiveParts = new Map([...before.archives].map(([n, archive]) => [archive, n]));
    this.#nextPart = nextPart;
  }

  /** The numbers of the parts that a history's archives are in. */
  archivesOf({ archives }: History): readonly number[] {
    return archives.map((archive) => this.#archiveParts.get(archive) ?? 0);
  }

  /** `stored` has the snapshots that were there before; `added` makes those that are new. */
  plan(
    { metadata, history, snapshots }: LiveState,
    stored: ReadonlyMap<Snapshot, number>,
    added: (snapshot: Snapshot) => StoredSnapshot,
  ): PartsPlan {
    const metadataParts = this.#metadata(metadata);
    const archives = this.#archives([history, ...snapshots.map((snapshot) => snapshot.history)]);
    const storedSnapshots = this.#snapshots(snapshots, stored, added);
    return {
      stored: { metadata, metadataParts, archives, snapshots: storedSnapshots },
      archives: this.archivesOf(history),
      count: metadataParts.size + archives.size + storedSnapshots.size,
      nextPart: this.#nextPart,
      put: this.#put,
      remove: this.#remove,
    };
  }

  #metadata(metadata: LiveState["metadata"]): ReadonlyMap<string, number> {
    const { metadata: values, metadataParts: before } = this.#before;
    if (metadata === values) return before;
    const after = new Map<string, number>();
    for (const [name, value] of Object.entries(metadata)) {
      const n = before.get(name);
      const isSame = n !== undefined && isSameText(values[name], value);
      after.set(name, isSame ? n : this.#write("metadata", metadataText(name, value), n));
    }
    for (const [name, n] of before) if (!after.has(name)) this.#remove.push(n);
    return after;
  }

  /** Those of the session and of its snapshots. A settled archive is another part: a snapshot may hold the pending one. */
  #archives(histories: readonly History[]): ReadonlyMap<number, ArchiveInfo> {
    const after = new Map<number, ArchiveInfo>();
    for (const archive of histories.flatMap((history) => history.archives)) {
      const n = this.#archiveParts.get(archive) ?? this.#write("archive", JSON.stringify(archive));
      this.#archiveParts.set(archive, n);
      after.set(n, archive);
    }
    for (const n of this.#before.archives.keys()) if (!after.has(n)) this.#remove.push(n);
    return after;
  }

  #snapshots(
    snapshots: readonly Snapshot[],
    stored: ReadonlyMap<Snapshot, number>,
    added: (snapshot: Snapshot) => StoredSnapshot,
  ): ReadonlyMap<number, StoredSnapshot> {
    const after = new Map<number, StoredSnapshot>();
    for (const snapshot of snapshots) {
      const n = stored.get(snapshot);
      const before = n === undefined ? undefined : this.#before.snapshots.get(n);
      if (n !== undefined && before !== undefined) after.set(n, before);
      else {
        const part = added(snapshot);
        after.set(this.#write("snapshot", snapshotText(part)), part);
      }
    }
    for (const n of this.#before.snapshots.keys()) if (!after.has(n)) this.#remove.push(n);
    return after;
  }

  #write(kind: PartKind, body: string, known?: number): number {
    const n = known ?? this.#nextPart++;
    this.#put.push({ n, kind, body });
    return n;
  }
}

/** As text, because the order of keys counts. */
function isSameText(a: Json | undefined, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
