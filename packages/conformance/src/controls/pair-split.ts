import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Takes the last n messages, whatever they are. */
export const pairSplit: Control = {
  name: "pair split",
  caughtBy: "pair-safety",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      getChatHistory: async (id, { limit, ...query } = {}) => {
        const messages = await store.getChatHistory(id, query);
        return limit === undefined ? messages : messages.slice(Math.max(0, messages.length - limit));
      },
    })),
};
