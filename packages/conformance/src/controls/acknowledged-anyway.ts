import type { CommitOutcome } from "@sessions/protocol/backend";
import { withFailingBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Acknowledges a commit whatever the engine says of its write. */
export const acknowledgedAnyway: Control = {
  name: "acknowledged although the write failed",
  caughtBy: "reported outcomes are true",
  applies: (place) => place.writeFailures?.refused !== undefined,
  breakPlace: (place) =>
    withFailingBackend(place, (backend) => ({
      commit: (requests) => {
        const acknowledged = (): readonly CommitOutcome[] =>
          requests.map(({ at }) => ({ status: "applied", revision: 1, at }));
        return Promise.resolve(requests)
          .then((all) => backend.commit(all))
          .catch(acknowledged);
      },
    })),
};
