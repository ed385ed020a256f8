import { SessionError } from "@sessions/protocol";
import { withFailingBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Reports that nothing has changed when the outcome is unknown. */
export const unknownOutcomeReportedUnchanged: Control = {
  name: "unknown outcome reported as nothing changed",
  caughtBy: "reported outcomes are true",
  applies: (place) => place.writeFailures?.unconfirmed !== undefined,
  breakPlace: (place) =>
    withFailingBackend(place, (backend) => ({
      commit: async (requests) => {
        try {
          return await backend.commit(requests);
        } catch (error) {
          if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
          throw SessionError.of("STORE_UNAVAILABLE", "The engine failed. Nothing was changed.", {});
        }
      },
    })),
};
