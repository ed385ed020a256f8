import type { CommitOutcome } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Puts a batch into one transaction, and rolls all of it back when one request is refused. */
export const batchFailsTogether: Control = {
  name: "one refusal fails its neighbours",
  caughtBy: "all or nothing",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes: CommitOutcome[] = [];
        for (const request of requests) {
          const rejected = outcomes.find((outcome) => outcome.status === "rejected");
          outcomes.push(rejected ?? (await backend.commit([request]))[0] ?? missing());
        }
        return outcomes;
      },
    })),
};

function missing(): never {
  throw new Error("the backend gave no outcome for a request");
}
