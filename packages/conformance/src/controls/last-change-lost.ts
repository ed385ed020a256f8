import type { Change } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Feeds a change only when the next one has come. */
export const lastChangeLost: Control = {
  name: "last change not fed",
  caughtBy: "watch",
  hangs: true,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      async *watch(target, signal) {
        let held: Change | undefined;
        for await (const change of backend.watch(target, signal)) {
          if (held !== undefined) yield held;
          held = change;
        }
      },
    })),
};
