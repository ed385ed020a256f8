import type { CommitOutcome } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Writes the operations of a commit one after the other. */
export const operationsOneByOne: Control = {
  name: "commit written one operation at a time",
  caughtBy: "all or nothing",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes: CommitOutcome[] = [];
        for (const request of requests) {
          const steps = request.ops.map((op, index) => ({
            ...request,
            id: `${request.id} ${index}`,
            ops: [op],
          }));
          const each = await backend.commit(steps.length < 2 ? [request] : steps);
          const outcome = each.find((one) => one.status === "rejected") ?? each.at(-1);
          if (outcome !== undefined) outcomes.push(outcome);
        }
        return outcomes;
      },
    })),
};
