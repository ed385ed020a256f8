import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Replaces the history and drops what others have added since it was read. */
export const baseIgnored: Control = {
  name: "base of a new history ignored",
  caughtBy: "replace keeps identity",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      setChatHistory: (id, messages, { base: _base, ...options } = {}) =>
        store.setChatHistory(id, messages, options),
    })),
};
