import { withBackend } from "./faulty.mjs";

/** Lets the holder of a lost turn go on writing. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    commit: (requests) => backend.commit(requests.map(unfenced)),
  }));

/** A turn cannot be ended without its token: those requests stay as they are. */
function unfenced({ fence, ...request }) {
  const keeps = fence !== undefined && request.ops.some(({ op }) => op === "turn");
  return keeps ? { ...request, fence } : request;
}
