import type { CommitOutcome } from "@sessions/protocol/backend";
import { withFailingBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Acknowledges a commit although the engine refused the write. */
export const failedWriteAcknowledged: Control = {
  name: "failed write acknowledged",
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
