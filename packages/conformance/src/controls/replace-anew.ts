import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Replaces the history by new messages: what was read before loses its id and time. */
export const replaceAnew: Control = {
  name: "replace that forgets who was who",
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
