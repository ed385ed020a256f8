import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Feeds what was written, and keeps silent about what was deleted. */
export const deletionNotFed: Control = {
  name: "deletion that is not fed",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      async *watch(target, signal) {
        for await (const change of backend.watch(target, signal)) if (change.deleted !== true) yield change;
      },
    })),
};
