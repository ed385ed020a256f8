import type { ResolvedStore } from "@sessions/config";
import { type SessionBundle, SessionError, type SessionStore, type SessionSummary } from "@sessions/protocol";
import { CommandError, EXIT } from "../command/exit-code.js";

/** Of problems with an index: `doctor` names all of them. */
const MOST_TOLD = 5;

/** Every session that can be read, by id: an order that no write to them changes. */
export function allSessions(store: SessionStore, signal?: AbortSignal): AsyncIterable<SessionSummary> {
  return store.listSessions({ order: "id-asc", limit: 1000, signal });
}

/** How many sessions can be read. */
export async function countSessions(store: SessionStore, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for await (const _ of allSessions(store, signal)) count++;
  return count;
}

/** A whole session; `undefined` if it was deleted or has expired since it was listed. */
export async function exportIfThere(
  store: SessionStore,
  id: string,
  signal?: AbortSignal,
): Promise<SessionBundle | undefined> {
  try {
    return await store.exportSession(id, { signal });
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Whether an error says that a session is damaged, or that something of it is gone. */
export function isDamage(error: unknown): error is SessionError {
  return SessionError.is(error, "SESSION_CORRUPTED", "DATA_LOST");
}

/** Throws, with what is wrong, if lists may lack sessions: what copies a store must not take those for all. */
export async function requireSoundIndex(resolved: ResolvedStore): Promise<void> {
  const problems = (await (await resolved.tools()).problems?.()) ?? [];
  if (problems.length === 0) return;
  const more = problems.length > MOST_TOLD ? [`And ${problems.length - MOST_TOLD} more.`] : [];
  const lines = [
    ...problems.slice(0, MOST_TOLD),
    ...more,
    "Lists may lack sessions. Run: sessions doctor --fix",
  ];
  throw new CommandError(lines.join("\n"), EXIT.damaged);
}

/** A session that is damaged, and so is in no list. */
export interface DamagedSession {
  /** Absent where not even that can be read. */
  readonly sessionId?: string;
  readonly place: string;
  readonly problem: string;
}

/** The sessions that lists leave out because they cannot be read. What copies a store must name them. */
export async function* damagedSessions(
  resolved: ResolvedStore,
  store: SessionStore,
): AsyncGenerator<DamagedSession> {
  const { suspects } = await resolved.tools();
  for await (const { sessionId, place } of suspects?.() ?? []) {
    if (sessionId === undefined) yield { place, problem: "Nobody can tell whose it is." };
    else {
      const problem = await problemOf(store, sessionId);
      if (problem !== undefined) yield { sessionId, place, problem };
    }
  }
}

async function problemOf(store: SessionStore, sessionId: string): Promise<string | undefined> {
  try {
    await store.getSession(sessionId, { messages: "none" });
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error.message;
  }
}
