import { setTimeout as delay } from "node:timers/promises";
import {
  type Change,
  decodeCursor,
  encodeCursor,
  SessionError,
  type SessionState,
  type WatchTarget,
} from "@sessions/protocol";

/** A session as a poll finds it. */
export interface Polled {
  readonly id: string;
  readonly state: SessionState;
}

const INTERVAL_MS = 25;

/** Changes of sessions, found by looking again and again: what other processes write tells nobody. */
export async function* pollChanges(
  target: WatchTarget,
  signal: AbortSignal,
  look: () => AsyncIterable<Polled>,
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

async function baseline({ session, since }: WatchTarget, look: () => AsyncIterable<Polled>): Promise<Known> {
  const known: Known = new Map();
  if (session !== undefined && typeof since === "number") return known.set(session, since);
  const cursor = typeof since === "string" ? readCursor(since) : undefined;
  for await (const { id, state } of look()) {
    const told =
      cursor === undefined ||
      timeOf(state) < cursor.at ||
      (id === cursor.id && state.revision <= cursor.revision);
    if (told) known.set(id, state.revision);
  }
  return known;
}

async function news(known: Known, look: () => AsyncIterable<Polled>): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for await (const { id, state } of look()) {
    if (known.get(id) === state.revision) continue;
    known.set(id, state.revision);
    changes.push(changeOf(id, state));
  }
  return changes.sort((a, b) => a.at - b.at);
}

function changeOf(sessionId: string, state: SessionState): Change {
  const { revision } = state;
  const at = timeOf(state);
  const deleted = state.status === "deleted" ? { deleted: true } : {};
  return { sessionId, revision, at, ...deleted, cursor: encodeCursor({ at, id: sessionId, revision }) };
}

function timeOf(state: SessionState): number {
  return state.status === "live" ? state.updatedAt : state.deletedAt;
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
