import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Reports a loss to whoever asks first, be it a poll or a waiting loop. */
export const lossUsedUp: Control = {
  name: "loss used up by background work",
  caughtBy: "lost data",
  applies: (place) => place.loseEverything !== undefined,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: (sessionId, select) => backend.read(sessionId, { ...select, background: false }),
      commit: (requests) => backend.commit(requests.map((request) => ({ ...request, background: false }))),
    })),
};
