import type { Control } from "./control.js";
import { withStaleIndex } from "./stale-index.js";

/** Lets the session expire and its entry in the index stay. */
export const expiryLeavesParts: Control = {
  name: "expiry that leaves parts",
  caughtBy: "expiry",
  breakPlace: (place) =>
    withStaleIndex(place, {
      indexes: ({ expiresAt }) => expiresAt !== undefined,
      shows: ({ cursor }) => cursor === undefined,
    }),
};
