import type { CommitRequest, Operation, SessionBackend } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

/** The same place; every request is rewritten before it reaches the backend. */
export function withRequests(
  place: Place,
  rewrite: (request: CommitRequest, backend: SessionBackend) => CommitRequest | Promise<CommitRequest>,
): Place {
  return withBackend(place, (backend) => ({
    commit: async (requests) =>
      backend.commit(await Promise.all(requests.map((request) => rewrite(request, backend)))),
  }));
}

/** The same place; every operation is rewritten before it reaches the backend. */
export function withOperations(place: Place, rewrite: (operation: Operation) => Operation): Place {
  return withRequests(place, (request) => ({ ...request, ops: request.ops.map(rewrite) }));
}
