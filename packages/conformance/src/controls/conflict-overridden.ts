import { SessionError } from "@sessions/protocol";
import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Writes the caller's history after a conflict anyway, and so undoes a concurrent revert. */
export const conflictOverridden: Control = {
  name: "merge conflict overridden",
  caughtBy: "base merges",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      setChatHistory: async (id, messages, options) => {
        try {
          return await store.setChatHistory(id, messages, options);
        } catch (error) {
          if (!SessionError.is(error, "REVISION_CONFLICT")) throw error;
          return store.setChatHistory(id, messages, { ...options, base: undefined });
        }
      },
    })),
};
