import type { Control } from "./control.js";
import { withStaleIndex } from "./stale-index.js";

/** Keeps the index entry of an expired session. */
export const expiredSessionListed: Control = {
  name: "expired sessions listed",
  caughtBy: "expiry",
  breakPlace: (place) =>
    withStaleIndex(place, {
      indexes: ({ expiresAt }) => expiresAt !== undefined,
      shows: ({ cursor }) => cursor === undefined,
    }),
};
