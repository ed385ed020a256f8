import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Gives all messages of a new history new ids and times. */
export const replaceDropsIds: Control = {
  name: "new history that drops ids and times",
  caughtBy: "replace keeps identity",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      setChatHistory: async (id, messages, options) => {
        const anew = messages.map((message) => ({ ...message, id: undefined, createdAt: undefined }));
        await store.clearSession(id, options);
        return store.addMessage(id, anew);
      },
    })),
};
