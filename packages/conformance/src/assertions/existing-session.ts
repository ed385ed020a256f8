import type { GetSessionOptions, Session, SessionStore } from "@sessions/protocol";

/** Reads a session, and throws if there is none. */
export async function existingSession(
  store: SessionStore,
  id: string,
  options?: GetSessionOptions,
): Promise<Session> {
  const session = await store.getSession(id, options);
  if (session === undefined) throw new Error(`there is no session "${id}"`);
  return session;
}
