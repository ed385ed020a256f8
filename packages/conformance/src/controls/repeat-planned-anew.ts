import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Answers that a commit id is not known, when it is asked before a change is computed. So a repeat is computed on the result of the first call. */
export const repeatPlannedAnew: Control = {
  name: "repeated computed change that is planned anew",
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
