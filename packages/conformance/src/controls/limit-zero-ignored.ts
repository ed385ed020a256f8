import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Treats a limit of 0 as no limit. */
export const limitZeroIgnored: Control = {
  name: "limit 0 that returns everything",
  caughtBy: "getChatHistory",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      getChatHistory: (id, { limit, ...query } = {}) =>
        store.getChatHistory(id, limit ? { ...query, limit } : query),
    })),
};
