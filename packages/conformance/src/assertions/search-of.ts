import type { SessionStore } from "@sessions/protocol";

/** The `search()` of a store that declares to have one. */
export function searchOf(store: SessionStore): NonNullable<SessionStore["search"]> {
  if (store.search === undefined)
    throw new Error("capabilities.search is declared, but there is no search()");
  return store.search.bind(store);
}
