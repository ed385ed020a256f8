import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Knows a commit id again, but not what was answered then. */
export const receiptLost: Control = {
  name: "repeat answered differently",
  caughtBy: "exactly once",
  breakPlace: (place) => withRequests(place, ({ receipt: _receipt, ...request }) => request),
};
