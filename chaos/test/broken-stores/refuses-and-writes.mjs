import { SessionError } from "@sessions/protocol";
import { withBackend } from "./with-backend.mjs";

/** Rejects every tenth call with STORE_FULL after it has committed it. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => {
    let commits = 0;
    return {
      async commit(requests) {
        const outcomes = await backend.commit(requests);
        if (++commits % 10 !== 0) return outcomes;
        const error = SessionError.of("STORE_FULL", "There is no room left.", {});
        return outcomes.map(() => ({ status: "rejected", error }));
      },
    };
  });
