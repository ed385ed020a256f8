import { withBackend } from "./faulty.mjs";

/** Lets a turn begin whoever holds another. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    commit: (requests) => backend.commit(requests.map(stealing)),
  }));

function stealing(request) {
  const begins = request.ops.some(({ op, action }) => op === "turn" && action === "begin");
  if (!begins) return request;
  return { ...request, ops: [{ op: "turn", action: "interrupt", force: true }, ...request.ops] };
}
