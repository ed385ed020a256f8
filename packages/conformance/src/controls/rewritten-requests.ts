import type { CommitRequest, Operation } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

/** The same place; every request is rewritten before it reaches the backend. */
export function withRequests(place: Place, rewrite: (request: CommitRequest) => CommitRequest): Place {
  return withBackend(place, (backend) => ({ commit: (requests) => backend.commit(requests.map(rewrite)) }));
}

/** The same place; every operation is rewritten before it reaches the backend. */
export function withOperations(place: Place, rewrite: (operation: Operation) => Operation): Place {
  return withRequests(place, (request) => ({ ...request, ops: request.ops.map(rewrite) }));
}
