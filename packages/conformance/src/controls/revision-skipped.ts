import type { CommitRequest } from "@sessions/protocol/backend";
import { send } from "../samples/requests.js";
import type { Control } from "./control.js";
import { withSeparateRequests } from "./separate-requests.js";

/** Makes another commit after every commit. */
export const revisionSkipped: Control = {
  name: "revision skipped",
  caughtBy: "revisions and preconditions",
  breakPlace: (place) => {
    let extraCommits = 0;
    const extraCommit = ({ sessionId, at }: CommitRequest): CommitRequest => ({
      sessionId,
      id: `extra ${++extraCommits}`,
      at,
      ops: [{ op: "count", deltas: { writes: 1 } }],
    });
    return withSeparateRequests(place, async (backend, request) => {
      const outcome = await send(backend, request);
      if (outcome.status === "applied") await send(backend, extraCommit(request));
      return outcome;
    });
  },
};
