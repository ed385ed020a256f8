import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Returns the last messages by count, without regard to tool calls. */
export const toolPairSplit: Control = {
  name: "tool call separated from its result",
  caughtBy: "pair-safety",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      getChatHistory: async (id, { limit, ...query } = {}) => {
        const messages = await store.getChatHistory(id, query);
        return limit === undefined ? messages : messages.slice(Math.max(0, messages.length - limit));
      },
    })),
};
