import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Enters a session into its index with the second write. */
export const listMisses: Control = {
  name: "list that misses",
  caughtBy: "listing",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      list: async (query) => {
        const page = await backend.list(query);
        return { ...page, items: page.items.filter((item) => item.revision > 1) };
      },
    })),
};
