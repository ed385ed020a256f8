import { createHash, type Hash } from "node:crypto";
import type { SessionDocument, SnapshotDocument } from "@sessions/protocol";

/**
 * A digest of the whole content of a session, the same on every store. It ignores what stores may choose: the order of fields
 * (except in messages and metadata values, where it belongs to the user), the shared part of a snapshot, and commits that may be
 * evicted at any time.
 */
export function sessionDigest(sessionId: string, session: SessionDocument): string {
  const { messages, metadata, snapshots, commits, finishedTurns, ...rest } = session;
  const bodies = messages.map((message) => JSON.stringify(message));
  const hash = createHash("sha256");
  part(hash, "id", sessionId);
  part(hash, "fields", evened(rest));
  part(
    hash,
    "metadata",
    entries(metadata).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  part(hash, "commits", remembered(commits));
  part(hash, "turns", remembered(finishedTurns));
  texts(hash, "messages", bodies);
  for (const snapshot of snapshots) addSnapshot(hash, snapshot, session, bodies);
  return hash.digest("hex");
}

function addSnapshot(
  hash: Hash,
  snapshot: SnapshotDocument,
  session: SessionDocument,
  bodies: readonly string[],
): void {
  const { shared, messages, revisions, ...info } = snapshot;
  part(hash, "snapshot", evened(info));
  part(hash, "revisions", [...session.revisions.slice(0, shared), ...revisions]);
  texts(hash, "messages", [
    ...bodies.slice(0, shared),
    ...messages.map((message) => JSON.stringify(message)),
  ]);
}

interface Memory {
  readonly horizon: number;
  readonly entries: readonly { readonly id: string; readonly at: number }[];
}

/** Leaves out entries as old as the horizon: one store may have evicted them and another one not yet. */
function remembered({ horizon, entries: all }: Memory): unknown {
  const kept = all.filter(({ at }) => at > horizon).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  return [horizon, kept.map(evened)];
}

function part(hash: Hash, name: string, value: unknown): void {
  hash.update(`${name}\n${JSON.stringify(value)}\n`);
}

function texts(hash: Hash, name: string, lines: readonly string[]): void {
  hash.update(`${name}\n${lines.length}\n`);
  for (const line of lines) hash.update(`${line}\n`);
}

/** Sorts the fields of every object. */
function evened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(evened);
  if (typeof value !== "object" || value === null) return value;
  return entries(value).map(([key, item]) => [key, evened(item)]);
}

function entries(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
