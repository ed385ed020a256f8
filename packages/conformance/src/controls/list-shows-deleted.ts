import type { SummaryRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Lists from an index that nobody cleans up. */
export const listShowsDeleted: Control = {
  name: "list that shows the deleted",
  caughtBy: "listing",
  breakPlace: (place) => {
    const index = new Map<string, SummaryRecord>();
    return withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes = await backend.commit(requests);
        for (const { sessionId } of requests) {
          const record = await backend.read(sessionId, { messages: "none" });
          if (record !== undefined) index.set(sessionId, record);
        }
        return outcomes;
      },
      list: async (query) => {
        const page = await backend.list(query);
        const listed = new Set(page.items.map((item) => item.id));
        // Where all is asked for, and fits one page: enough to be noticed.
        const { labels, parent, updatedSince, cursor } = query;
        const narrowed = [labels, parent, updatedSince, cursor, page.cursor].some((one) => one !== undefined);
        const rest = narrowed ? [] : [...index.values()].filter((item) => !listed.has(item.id));
        return { ...page, items: [...page.items, ...rest] };
      },
    }));
  },
};
