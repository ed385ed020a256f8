import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Remembers commit ids without their results. */
export const receiptDropped: Control = {
  name: "repeat with another result",
  caughtBy: "exactly once",
  breakPlace: (place) => withRequests(place, ({ receipt: _receipt, ...request }) => request),
};
