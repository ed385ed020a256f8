import type { ListSessionsQuery, SessionStore } from "@sessions/protocol";

/** The ids of all sessions of a list, page after page. */
export async function listedIds(store: SessionStore, query: ListSessionsQuery = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions(query)) ids.push(id);
  return ids;
}
