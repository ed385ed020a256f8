import { SessionError } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

const MAX_IDS = 8_000;

/** Passes all ids to its engine in one call, which has a limit. */
export const manyIdsRefused: Control = {
  name: "thousands of ids refused",
  caughtBy: "getMessages",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: async (sessionId, select) => {
        const { messages } = select;
        if (typeof messages === "object" && "ids" in messages && messages.ids.length > MAX_IDS)
          throw SessionError.of("STORE_UNAVAILABLE", "The engine takes no more than 8000 ids.", {});
        return backend.read(sessionId, select);
      },
    })),
};
