import { SessionError } from "@sessions/protocol";
import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Delays appends, and drops those that are pending when the store is closed. */
export const closeDropsWrites: Control = {
  name: "close that drops accepted commits",
  caughtBy: "closed",
  breakPlace: (place) =>
    withStore(place, (store) => {
      let closing = false;
      return {
        addMessage: async (id, messages, options) => {
          await new Promise<void>((resolve) => setImmediate(resolve));
          if (closing)
            throw SessionError.of("STORE_CLOSED", "The store was closed before this was written.", {});
          return store.addMessage(id, messages, options);
        },
        close: () => {
          closing = true;
          return store.close();
        },
      };
    }),
};
