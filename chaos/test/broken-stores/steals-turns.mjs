import { withBackend } from "./with-backend.mjs";

/** Begins a turn while another one runs. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => ({
    commit: (requests) => backend.commit(requests.map(stealing)),
  }));

function stealing(request) {
  const begins = request.ops.some(({ op, action }) => op === "turn" && action === "begin");
  if (!begins) return request;
  return { ...request, ops: [{ op: "turn", action: "interrupt", force: true }, ...request.ops] };
}
