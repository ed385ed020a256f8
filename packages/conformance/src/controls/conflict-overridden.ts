import { SessionError } from "@sessions/protocol";
import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Answers a conflict by writing the caller's history over whatever is there now: a concurrent revert is undone. */
export const conflictOverridden: Control = {
  name: "a merge conflict that is overridden",
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
