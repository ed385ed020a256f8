import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** The feed is an async generator: its `return()` waits until the next change comes. */
export const watchCannotBeLeft: Control = {
  name: "watch that cannot be left while it waits",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withStore(place, (store) => ({
      async *watch(target) {
        yield* store.watch(target);
      },
    })),
};
