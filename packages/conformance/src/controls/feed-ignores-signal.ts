import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** A feed that ignores its signal and goes on when its watch has ended. */
export const feedIgnoresSignal: Control = {
  name: "feed that goes on after its watch has ended",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      watch: (target) => backend.watch(target, new AbortController().signal),
    })),
};
