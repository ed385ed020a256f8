import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Reads every session for a list, and fails if one of them is damaged. */
export const damageFailsLists: Control = {
  name: "one damaged session that fails lists",
  caughtBy: "foreign and damaged entries",
  applies: (place) => place.corrupt !== undefined,
  breakPlace: (place) => {
    const known = new Set<string>();
    return withBackend(place, (backend) => ({
      commit: (requests) => {
        for (const { sessionId } of requests) known.add(sessionId);
        return backend.commit(requests);
      },
      list: async (query) => {
        for (const sessionId of known) await backend.read(sessionId, { messages: "none" });
        return backend.list(query);
      },
    }));
  },
};
