import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Adds a session to the index with its second commit. */
export const listMissesNewSessions: Control = {
  name: "new sessions not listed",
  caughtBy: "listing",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      list: async (query) => {
        const page = await backend.list(query);
        return { ...page, items: page.items.filter((item) => item.revision > 1) };
      },
    })),
};
