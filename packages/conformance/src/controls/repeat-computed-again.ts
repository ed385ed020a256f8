import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Does not recognise a commit id before a change is computed, so that a repeat is computed from the result of the first call. */
export const repeatComputedAgain: Control = {
  name: "repeat of a computed change computed again",
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
