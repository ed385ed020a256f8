import {
  type ArchiveInfo,
  Damage,
  type Json,
  type JsonObject,
  parseStored,
  type SnapshotInfo,
} from "@sessions/protocol/backend";
import { Runs } from "../runs/runs.js";

/** What of a session is larger and seldom changes. Each part is stored by itself, under a number. */
export interface StoredParts {
  readonly metadata: JsonObject;
  /** The number of the part that each key of the metadata is in. */
  readonly metadataParts: ReadonlyMap<string, number>;
  /** Those of the session and of its snapshots. */
  readonly archives: ReadonlyMap<number, ArchiveInfo>;
  readonly snapshots: ReadonlyMap<number, StoredSnapshot>;
}

/** A snapshot: its messages are rows, its archives are parts. */
export interface StoredSnapshot extends SnapshotInfo {
  readonly rows: Runs;
  readonly liveFrom: number;
  readonly partials: readonly string[];
  readonly archives: readonly number[];
  readonly unknownFields: JsonObject | undefined;
}

export type PartKind = "metadata" | "archive" | "snapshot";

/** A part as it is stored. */
export interface PartRow {
  readonly n: number;
  readonly kind: PartKind;
  readonly body: string;
}

export const NO_PARTS: StoredParts = {
  metadata: {},
  metadataParts: new Map(),
  archives: new Map(),
  snapshots: new Map(),
};

/** Reads the parts of a session, which come in the order of their numbers. */
export function readParts(rows: readonly PartRow[], location: string): StoredParts {
  if (rows.length === 0) return NO_PARTS;
  const metadata: [string, Json][] = [];
  const metadataParts = new Map<string, number>();
  const archives = new Map<number, ArchiveInfo>();
  const snapshots = new Map<number, StoredSnapshot>();
  for (const { n, kind, body } of rows) {
    const at = `${location}, part ${n}`;
    if (kind === "metadata") {
      const [name, value] = parseStored<readonly [string, Json]>(body, at);
      metadata.push([name, value]);
      metadataParts.set(name, n);
    } else if (kind === "archive") archives.set(n, parseStored(body, at));
    else snapshots.set(n, readSnapshot(body, at));
  }
  return { metadata: Object.fromEntries(metadata), metadataParts, archives, snapshots };
}

/** The archives with these numbers. */
export function archivesOf(
  { archives }: StoredParts,
  numbers: readonly number[],
  location: string,
): readonly ArchiveInfo[] {
  return numbers.map((n) => {
    const archive = archives.get(n);
    if (archive === undefined) throw new Damage(`${location}, part ${n}`, "is missing");
    return archive;
  });
}

export function metadataText(name: string, value: Json): string {
  return JSON.stringify([name, value]);
}

export function snapshotText({ rows, ...snapshot }: StoredSnapshot): string {
  return JSON.stringify({ ...snapshot, rows: rows.toJson() });
}

type SnapshotJson = Omit<StoredSnapshot, "rows"> & { readonly rows: readonly (readonly number[])[] };

function readSnapshot(body: string, location: string): StoredSnapshot {
  const { rows, ...snapshot } = parseStored<SnapshotJson>(body, location);
  return { ...snapshot, rows: Runs.fromJson(rows) };
}
