import { createStore, type SessionStore } from "@sessions/protocol/backend";
import type { Control } from "./control.js";

/** Does not check the format of the data that it opens. */
export const newerFormatIgnored: Control = {
  name: "newer format opened",
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
