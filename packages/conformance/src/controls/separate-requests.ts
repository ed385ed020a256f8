import type { CommitOutcome, CommitRequest, SessionBackend } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

/** Commits one request of a batch. `before`: the outcomes of those before it. */
type CommitOne = (
  backend: SessionBackend,
  request: CommitRequest,
  before: readonly CommitOutcome[],
) => Promise<CommitOutcome>;

/** The same place; the requests of a batch are committed one after the other by `commitOne`. */
export function withSeparateRequests(place: Place, commitOne: CommitOne): Place {
  return withBackend(place, (backend) => ({
    commit: async (requests) => {
      const outcomes: CommitOutcome[] = [];
      for (const request of requests) outcomes.push(await commitOne(backend, request, outcomes));
      return outcomes;
    },
  }));
}
