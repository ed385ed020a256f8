import type { CommitOutcome, CommitRequest } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Writes a note of its own after every commit. */
export const revisionSkipped: Control = {
  name: "revision skipped",
  caughtBy: "revisions and preconditions",
  breakPlace: (place) =>
    withBackend(place, (backend) => {
      let notes = 0;
      const note = (sessionId: string, at: number): CommitRequest => ({
        sessionId,
        id: `note ${++notes}`,
        at,
        ops: [{ op: "count", deltas: { writes: 1 } }],
      });
      return {
        commit: async (requests) => {
          const outcomes: CommitOutcome[] = [];
          for (const request of requests) {
            const [outcome] = await backend.commit([request]);
            if (outcome === undefined) continue;
            outcomes.push(outcome);
            if (outcome.status === "applied") await backend.commit([note(request.sessionId, request.at)]);
          }
          return outcomes;
        },
      };
    }),
};
