import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Reports a loss to the first read, also to a background poll. */
export const lossReportedToBackground: Control = {
  name: "loss reported to background reads only",
  caughtBy: "lost data",
  applies: (place) => place.loseEverything !== undefined,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: (sessionId, select) => backend.read(sessionId, { ...select, background: false }),
      commit: (requests) => backend.commit(requests.map((request) => ({ ...request, background: false }))),
    })),
};
