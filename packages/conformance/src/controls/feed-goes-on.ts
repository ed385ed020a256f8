import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** A feed that does not listen to its signal: it goes on for ever when its watcher has left. */
export const feedGoesOn: Control = {
  name: "feed that goes on when its watcher has left",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      watch: (target) => backend.watch(target, new AbortController().signal),
    })),
};
