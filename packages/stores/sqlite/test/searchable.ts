import type { MessageInput, SearchHit, SearchQuery } from "@sessions/protocol";
import { openSqliteStore, type SqliteStore } from "../src/index.js";
import { temporaryPath } from "./temporary.js";

/** A store with search. */
export async function searchable(path?: string): Promise<SqliteStore> {
  return openSqliteStore({ path: path ?? (await temporaryPath()), search: true });
}

/** The first page. */
export async function hits(store: SqliteStore, query: SearchQuery | string): Promise<readonly SearchHit[]> {
  const page = await store.search?.(typeof query === "string" ? { text: query } : query);
  if (page === undefined) throw new Error("the store has no search");
  return page.items;
}

/** Which messages were found: `session/message`. */
export async function found(store: SqliteStore, query: SearchQuery | string): Promise<readonly string[]> {
  return (await hits(store, query)).map(({ sessionId, messageId }) => `${sessionId}/${messageId}`).toSorted();
}

export const user = (id: string, content: string): MessageInput & { readonly id: string } => ({
  id,
  role: "user",
  content,
});
