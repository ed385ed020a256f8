import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Delivers no deletions to watchers. */
export const deletionNotWatched: Control = {
  name: "deletions not delivered to watchers",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      async *watch(target, signal) {
        for await (const change of backend.watch(target, signal)) if (change.deleted !== true) yield change;
      },
    })),
};
