import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Drops undefined values of a metadata patch instead of refusing them. */
export const undefinedDropped: Control = {
  name: "undefined metadata values dropped",
  caughtBy: "updateSessionMetadata",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      updateSessionMetadata: (id, patch, options) => {
        const defined = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined);
        return store.updateSessionMetadata(id, Object.fromEntries(defined), options);
      },
    })),
};
