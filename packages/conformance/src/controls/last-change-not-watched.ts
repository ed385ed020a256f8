import type { Change } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Delivers a change only when the next one is there. */
export const lastChangeNotWatched: Control = {
  name: "last change not delivered to watchers",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      async *watch(target, signal) {
        let pending: Change | undefined;
        for await (const change of backend.watch(target, signal)) {
          if (pending !== undefined) yield pending;
          pending = change;
        }
      },
    })),
};
