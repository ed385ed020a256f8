import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Says that no commit id is known when it is asked before a plan is made. */
export const planBeforeWindow: Control = {
  name: "plan made before the commit window is asked",
  caughtBy: "exactly once",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes = await backend.commit(requests);
        return outcomes.map((outcome, index) => {
          if (requests[index]?.ops.length !== 0 || outcome.status !== "duplicate") return outcome;
          return { status: "unchanged", revision: outcome.revision, at: outcome.at };
        });
      },
    })),
};
