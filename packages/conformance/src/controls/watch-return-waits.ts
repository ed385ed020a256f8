import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** The watch is an async generator, whose `return()` waits for the next change. */
export const watchReturnWaits: Control = {
  name: "watch that cannot be ended while it waits",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withStore(place, (store) => ({
      async *watch(target) {
        yield* store.watch(target);
      },
    })),
};
