import { withBackend } from "./with-backend.mjs";

/** Accepts writes of a lost turn. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    commit: (requests) => backend.commit(requests.map(unfenced)),
  }));

/** Keeps the token of requests that end a turn, because they are invalid without one. */
function unfenced({ fence, ...request }) {
  const keeps = fence !== undefined && request.ops.some(({ op }) => op === "turn");
  return keeps ? { ...request, fence } : request;
}
