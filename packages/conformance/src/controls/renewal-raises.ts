import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Counts renewals, and so makes a commit of each. */
export const renewalRaises: Control = {
  name: "renewal that raises the revision",
  caughtBy: "turns",
  breakPlace: (place) =>
    withRequests(place, (request) => {
      const renews = request.ops.some((op) => op.op === "turn" && op.action === "renew");
      return renews
        ? { ...request, ops: [...request.ops, { op: "count", deltas: { renewals: 1 } }] }
        : request;
    }),
};
