import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Leaves out what is undefined, so that a value meant to be cleared comes back. */
export const undefinedSwallowed: Control = {
  name: "undefined swallowed",
  caughtBy: "updateSessionMetadata",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      updateSessionMetadata: (id, patch, options) => {
        const defined = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined);
        return store.updateSessionMetadata(id, Object.fromEntries(defined), options);
      },
    })),
};
