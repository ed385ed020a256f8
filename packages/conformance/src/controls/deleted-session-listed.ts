import type { Control } from "./control.js";
import { withStaleIndex } from "./stale-index.js";

/** Lists from an index from which deleted sessions are not removed. */
export const deletedSessionListed: Control = {
  name: "deleted sessions listed",
  caughtBy: "listing",
  breakPlace: (place) =>
    withStaleIndex(place, {
      indexes: () => true,
      // Only in a list of all sessions that fits one page: that is enough to be caught.
      shows: ({ labels, parent, updatedSince, cursor }, page) =>
        [labels, parent, updatedSince, cursor, page.cursor].every((one) => one === undefined),
    }),
};
