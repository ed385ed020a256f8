import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Writes for whoever asks, turn or no turn. */
export const fenceIgnored: Control = {
  name: "fence ignored",
  caughtBy: "fencing",
  breakPlace: (place) =>
    withRequests(place, ({ fence, ...request }) =>
      fence !== undefined && request.ops.some((op) => op.op === "turn") ? { ...request, fence } : request,
    ),
};
