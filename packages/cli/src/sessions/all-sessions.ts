import type { ResolvedStore } from "@sessions/config";
import { type SessionBundle, SessionError, type SessionStore, type SessionSummary } from "@sessions/protocol";
import { CommandError, EXIT } from "../command/exit-code.js";

/** Of problems with an index: `doctor` names all of them. */
const MAX_PROBLEMS_SHOWN = 5;

/** Every readable session, ordered by id, because writes do not change that order. */
export function allSessions(store: SessionStore, signal?: AbortSignal): AsyncIterable<SessionSummary> {
  return store.listSessions({ order: "id-asc", limit: 1000, signal });
}

/** The number of readable sessions. */
export async function countSessions(store: SessionStore, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for await (const _ of allSessions(store, signal)) count++;
  return count;
}

/** Exports a session. Returns `undefined` if it was deleted or has expired since it was listed. */
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
  const problems = await indexProblems(resolved);
  if (problems.length === 0) return;
  const lines = [...problems, 'Lists may lack sessions. "sessions doctor --fix" builds the index again.'];
  throw new CommandError(lines.join("\n"), EXIT.damaged);
}

/** What is wrong with the index of a store: the first problems, and how many more there are. */
export async function indexProblems(resolved: ResolvedStore): Promise<readonly string[]> {
  const problems = (await (await resolved.tools()).problems?.()) ?? [];
  const more = problems.length - MAX_PROBLEMS_SHOWN;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS_SHOWN), `And ${more} more.`] : problems;
}

/** A damaged session, which no listing has. */
export interface DamagedSession {
  /** Absent if the id cannot be read either. */
  readonly sessionId?: string;
  readonly place: string;
  readonly problem: string;
}

/** A session of which only a read of the whole finds out that it is damaged is named, and does not keep others out. */
export async function exportedOrDamaged(
  store: SessionStore,
  sessionId: string,
  signal?: AbortSignal,
): Promise<SessionBundle | DamagedSession | undefined> {
  try {
    return await exportIfThere(store, sessionId, signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { sessionId, place: "the store", problem: error.message };
  }
}

/**
 * The sessions that listings leave out because they cannot be read. Commands that copy a store must report them. `listed`: sessions
 * that a listing had, which are not looked at again.
 */
export async function* damagedSessions(
  resolved: ResolvedStore,
  store: SessionStore,
  listed: ReadonlySet<string> = new Set(),
): AsyncGenerator<DamagedSession> {
  const { suspects } = await resolved.tools();
  for await (const { sessionId, place } of suspects?.() ?? []) {
    if (sessionId === undefined) yield { place, problem: "The id of its session cannot be read." };
    else if (!listed.has(sessionId)) {
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
