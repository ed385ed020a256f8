import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Accepts writes with any token. */
export const fenceIgnored: Control = {
  name: "fence ignored",
  caughtBy: "fencing",
  breakPlace: (place) =>
    withRequests(place, ({ fence, ...request }) =>
      fence !== undefined && request.ops.some((op) => op.op === "turn") ? { ...request, fence } : request,
    ),
};
