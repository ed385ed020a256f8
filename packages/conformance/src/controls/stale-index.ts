import type { Page, SessionBackend, SummaryRecord } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

type ListQuery = Parameters<SessionBackend["list"]>[0];

/** Which sessions are indexed, and which lists show indexed sessions that the store no longer lists. */
interface StaleIndex {
  readonly indexes: (record: SummaryRecord) => boolean;
  readonly shows: (query: ListQuery, page: Page<SummaryRecord>) => boolean;
}

/** The same place; lists also show sessions from an index from which none is removed. */
export function withStaleIndex(place: Place, { indexes, shows }: StaleIndex): Place {
  const index = new Map<string, SummaryRecord>();
  return withBackend(place, (backend) => ({
    commit: async (requests) => {
      const outcomes = await backend.commit(requests);
      for (const { sessionId } of requests) {
        const record = await backend.read(sessionId, { messages: "none" });
        if (record !== undefined && indexes(record)) index.set(sessionId, record);
      }
      return outcomes;
    },
    list: async (query) => {
      const page = await backend.list(query);
      const listed = new Set(page.items.map((item) => item.id));
      const stale = shows(query, page) ? [...index.values()].filter((item) => !listed.has(item.id)) : [];
      return { ...page, items: [...page.items, ...stale] };
    },
  }));
}
