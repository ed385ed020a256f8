import { setTimeout as delay } from "node:timers/promises";
import { type Change, decodeCursor, encodeCursor, SessionError, type WatchTarget } from "@sessions/protocol";
import type { Listed } from "./summaries.js";

const INTERVAL_MS = 25;

/** Changes of sessions, found by looking again and again: what other processes write tells nobody. */
export async function* pollChanges(
  target: WatchTarget,
  signal: AbortSignal,
  look: () => AsyncIterable<Listed>,
): AsyncGenerator<Change> {
  const known = await baseline(target, look);
  while (!signal.aborted) {
    for (const change of await news(known, look)) {
      if (signal.aborted) return;
      yield change;
    }
    await delay(INTERVAL_MS, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** What the watcher knows already, by session: a revision. */
type Known = Map<string, number>;

async function baseline({ session, since }: WatchTarget, look: () => AsyncIterable<Listed>): Promise<Known> {
  const known: Known = new Map();
  if (session !== undefined && typeof since === "number") return known.set(session, since);
  const cursor = typeof since === "string" ? readCursor(since) : undefined;
  for await (const listed of look()) {
    const { id } = listed;
    const revision = revisionOf(listed);
    const told =
      cursor === undefined || timeOf(listed) < cursor.at || (id === cursor.id && revision <= cursor.revision);
    if (told) known.set(id, revision);
  }
  return known;
}

async function news(known: Known, look: () => AsyncIterable<Listed>): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for await (const listed of look()) {
    if (known.get(listed.id) === revisionOf(listed)) continue;
    known.set(listed.id, revisionOf(listed));
    changes.push(changeOf(listed));
  }
  return changes.sort((a, b) => a.at - b.at);
}

function changeOf(listed: Listed): Change {
  const { id } = listed;
  const at = timeOf(listed);
  const revision = revisionOf(listed);
  const deleted = listed.status === "deleted" ? { deleted: true } : {};
  return { sessionId: id, revision, at, ...deleted, cursor: encodeCursor({ at, id, revision }) };
}

function revisionOf(listed: Listed): number {
  return listed.status === "live" ? listed.summary.revision : listed.revision;
}

function timeOf(listed: Listed): number {
  return listed.status === "live" ? listed.summary.updatedAt : listed.deletedAt;
}

function readCursor(cursor: string): { readonly at: number; readonly id: string; readonly revision: number } {
  const value: unknown = decodeCursor(cursor, "target.since");
  if (typeof value === "object" && value !== null && "at" in value && "id" in value && "revision" in value) {
    return { at: Number(value.at), id: String(value.id), revision: Number(value.revision) };
  }
  throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
    path: "target.since",
  });
}
