import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Replaces the history without a look at what others appended since it was read. */
export const blindReplace: Control = {
  name: "blind replace",
  caughtBy: "replace keeps identity",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      setChatHistory: (id, messages, { base: _base, ...options } = {}) =>
        store.setChatHistory(id, messages, options),
    })),
};
