import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Adds new labels to the index and does not remove old ones. */
export const oldLabelsListed: Control = {
  name: "sessions listed by removed labels",
  caughtBy: "listing",
  breakPlace: (place) => {
    const indexed = new Map<string, Record<string, string>[]>();
    return withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes = await backend.commit(requests);
        for (const { sessionId } of requests) {
          const record = await backend.read(sessionId, { messages: "none" });
          if (record !== undefined)
            indexed.set(sessionId, [...(indexed.get(sessionId) ?? []), record.labels]);
        }
        return outcomes;
      },
      list: async ({ labels, ...query }) => {
        const page = await backend.list(query);
        const wanted = Object.entries(labels ?? {});
        const matches = (id: string): boolean =>
          (indexed.get(id) ?? []).some((had) => wanted.every(([name, value]) => had[name] === value));
        return { ...page, items: page.items.filter((item) => matches(item.id)) };
      },
    }));
  },
};
