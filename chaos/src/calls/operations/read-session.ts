import { type HistoryResult, sharedClock } from "@sessions/conformance/multi-process";
import { type Session, SessionError } from "@sessions/protocol";
import type { Operation, OperationContext } from "./operation-context.js";
import { type SharedKind, sharedSession } from "./shared-session.js";

/** What a read needs. */
export type ReadContext = Pick<OperationContext, "store" | "recorder">;

/** Reads all messages of a shared session. */
export function readAllOf(kind: SharedKind): Operation {
  return (context) => readAll(context, sharedSession(context, kind));
}

/** Reads all messages at one revision, archived messages first. */
export async function readAll({ store, recorder }: ReadContext, session: string): Promise<void> {
  const perform = async (): Promise<HistoryResult> => {
    try {
      const { revision, messages } = (await store.exportSession(session)).session;
      return { revision, ids: messages.map((message) => message.id) };
    } catch (error) {
      if (SessionError.is(error, "SESSION_NOT_FOUND")) return { ids: [] };
      throw error;
    }
  };
  await recorder.call(session, { kind: "read" }, perform, (read) => read);
}

/** Reads the newest messages of a shared session. */
export function readTailOf(kind: SharedKind): Operation {
  return async (context) => {
    await readLive(context, sharedSession(context, kind), context.random.between(1, 20));
  };
}

/** Reads the live messages, or the last of them. */
export function readLive(
  { store, recorder }: ReadContext,
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

/** Lists all sessions and reads one of them. */
export const listAndRead: Operation = async (context) => {
  const session = context.random.pick(await listAll(context, context.name));
  if (session !== undefined) await readAll(context, session);
};

/** Logs the ids of all sessions. Ordered by id, because a session that changes during the listing keeps its position. */
export async function listAll(
  { store, write }: Pick<OperationContext, "store" | "write">,
  process: string,
): Promise<readonly string[]> {
  const invokedAt = sharedClock();
  const sessions: string[] = [];
  for await (const { id } of store.listSessions({ order: "id-asc", limit: 40 })) sessions.push(id);
  write({ type: "listed", process, invokedAt, at: sharedClock(), sessions });
  return sessions;
}
