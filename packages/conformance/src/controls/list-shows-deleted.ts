import type { Control } from "./control.js";
import { withStaleIndex } from "./stale-index.js";

/** Lists from an index that nobody cleans up. */
export const listShowsDeleted: Control = {
  name: "list that shows the deleted",
  caughtBy: "listing",
  breakPlace: (place) =>
    withStaleIndex(place, {
      indexes: () => true,
      // Only where every session is asked for and fits one page: that is enough to be caught.
      shows: ({ labels, parent, updatedSince, cursor }, page) =>
        [labels, parent, updatedSince, cursor, page.cursor].every((one) => one === undefined),
    }),
};
