import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Counts renewals, and so raises the revision with each. */
export const renewalRaisesRevision: Control = {
  name: "renewal that raises the revision",
  caughtBy: "turns",
  breakPlace: (place) =>
    withRequests(place, (request) => {
      const isRenewal = request.ops.some((op) => op.op === "turn" && op.action === "renew");
      return isRenewal
        ? { ...request, ops: [...request.ops, { op: "count", deltas: { renewals: 1 } }] }
        : request;
    }),
};
