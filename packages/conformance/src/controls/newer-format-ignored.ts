import { createStore, type SessionStore } from "@sessions/protocol/backend";
import type { Control } from "./control.js";

/** Opens data of a newer format as if it were an empty place of its own. */
export const newerFormatIgnored: Control = {
  name: "newer format opened all the same",
  caughtBy: "schema",
  applies: (place) => place.newerFormat !== undefined,
  breakPlace: (place) => {
    const open = async (): Promise<SessionStore> => createStore(await place.openBackend());
    return {
      open,
      openBackend: () => place.openBackend(),
      newerFormat: async () => undefined,
      cleanup: () => place.cleanup(),
    };
  },
};
