import { SessionError } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Takes every entry for a session, and fails lists on one that is not. */
export const foreignEntryFails: Control = {
  name: "foreign entry that fails lists",
  caughtBy: "foreign and damaged entries",
  applies: (place) => typeof place.plantForeign === "function",
  breakPlace: (place) => {
    let isForeign = false;
    const { plantForeign } = place;
    const broken = withBackend(place, (backend) => ({
      list: async (query) => {
        if (isForeign)
          throw SessionError.of("STORE_UNAVAILABLE", "There is an entry that is no session.", {});
        return backend.list(query);
      },
    }));
    return {
      ...broken,
      plantForeign: async () => {
        isForeign = true;
        if (typeof plantForeign === "function") await plantForeign();
      },
    };
  },
};
