import type { SummaryRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Lets the session expire and its entry in the index stay. */
export const expiryLeavesParts: Control = {
  name: "expiry that leaves parts",
  caughtBy: "expiry",
  breakPlace: (place) => {
    const index = new Map<string, SummaryRecord>();
    return withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes = await backend.commit(requests);
        for (const { sessionId } of requests) {
          const record = await backend.read(sessionId, { messages: "none" });
          if (record?.expiresAt !== undefined) index.set(sessionId, record);
        }
        return outcomes;
      },
      list: async (query) => {
        const page = await backend.list(query);
        const listed = new Set(page.items.map((item) => item.id));
        const left = [...index.values()].filter((item) => !listed.has(item.id) && query.cursor === undefined);
        return { ...page, items: [...page.items, ...left] };
      },
    }));
  },
};
