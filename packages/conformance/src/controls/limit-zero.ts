import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Takes a limit of 0 for no limit. */
export const limitZero: Control = {
  name: "limit 0 that returns everything",
  caughtBy: "getChatHistory",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      getChatHistory: (id, { limit, ...query } = {}) =>
        store.getChatHistory(id, limit ? { ...query, limit } : query),
    })),
};
