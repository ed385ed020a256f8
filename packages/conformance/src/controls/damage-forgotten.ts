import { SessionError } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { RememberedRecords } from "./remembered-records.js";

/** Refuses a damaged session once. Then it serves what it has in memory, and acknowledges writes. */
export const damageForgotten: Control = {
  name: "damage forgotten after the first refusal",
  caughtBy: "repeated reads of damage",
  applies: (place) => place.corrupt !== undefined,
  breakPlace: (place) => {
    const records = new RememberedRecords();
    return withBackend(place, (backend) => {
      const refused = new Set<string>();
      return {
        read: (sessionId, select) =>
          records.read(backend, sessionId, select, (record, error) => {
            if (refused.has(sessionId)) return record;
            refused.add(sessionId);
            throw error;
          }),
        commit: async (requests) => {
          const outcomes = await backend.commit(requests);
          return outcomes.map((outcome, index) => {
            const isDamage =
              outcome.status === "rejected" && SessionError.is(outcome.error, "SESSION_CORRUPTED");
            return isDamage && refused.has(requests[index]?.sessionId ?? "")
              ? { status: "applied", revision: 99, at: Date.now() }
              : outcome;
          });
        },
      };
    });
  },
};
