import type { CommitRequest, Operation } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

/** The same place, where every request is rewritten on its way to the engine. */
export function withRequests(place: Place, rewrite: (request: CommitRequest) => CommitRequest): Place {
  return withBackend(place, (backend) => ({ commit: (requests) => backend.commit(requests.map(rewrite)) }));
}

/** The same place, where every operation is rewritten on its way to the engine. */
export function withOperations(place: Place, rewrite: (operation: Operation) => Operation): Place {
  return withRequests(place, (request) => ({ ...request, ops: request.ops.map(rewrite) }));
}
