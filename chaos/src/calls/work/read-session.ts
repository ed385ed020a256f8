import { type HistoryResult, sharedClock } from "@sessions/conformance/multi-process";
import { type Session, SessionError } from "@sessions/protocol";
import { type SharedKind, sharedSession } from "./shared-session.js";
import type { Work, WorkContext } from "./work-context.js";

/** What a look at a session needs. */
export type Observer = Pick<WorkContext, "store" | "recorder">;

/** Reads everything of a session. */
export function readAllOf(kind: SharedKind): Work {
  return (place) => readAll(place, sharedSession(place, kind));
}

/** Everything that the session holds, archived messages first, at one revision. */
export async function readAll({ store, recorder }: Observer, session: string): Promise<void> {
  const perform = async (): Promise<HistoryResult> => {
    try {
      const { revision, messages } = (await store.exportSession(session)).session;
      return { revision, ids: messages.map((message) => message.id) };
    } catch (error) {
      if (SessionError.is(error, "SESSION_NOT_FOUND")) return { ids: [] };
      throw error;
    }
  };
  await recorder.call(session, { kind: "read" }, perform, (shown) => shown);
}

/** Reads the newest messages of a session. */
export function readTailOf(kind: SharedKind): Work {
  return async (place) => {
    await readLive(place, sharedSession(place, kind), place.random.between(1, 20));
  };
}

/** The live messages, or the last of them. */
export function readLive(
  { store, recorder }: Observer,
  session: string,
  last?: number,
): Promise<Session | undefined> {
  const messages = last === undefined ? "all" : { last };
  return recorder.call(
    session,
    { kind: "read", partial: true },
    () => store.getSession(session, { messages }),
    (found) => {
      const ids = found?.messages.map((message) => message.id) ?? [];
      return found === undefined ? { ids } : { revision: found.revision, ids };
    },
  );
}

/** Lists all sessions and reads one of them: whose it is does not matter. */
export const listAndRead: Work = async (place) => {
  const session = place.random.pick(await listAll(place, place.name));
  if (session !== undefined) await readAll(place, session);
};

/** The ids of all sessions, written down. By id, because one that is changed meanwhile keeps its place there. */
export async function listAll(
  { store, write }: Pick<WorkContext, "store" | "write">,
  process: string,
): Promise<readonly string[]> {
  const invokedAt = sharedClock();
  const sessions: string[] = [];
  for await (const { id } of store.listSessions({ order: "id-asc", limit: 40 })) sessions.push(id);
  write({ type: "listed", process, invokedAt, at: sharedClock(), sessions });
  return sessions;
}
