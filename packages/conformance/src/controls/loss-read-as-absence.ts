import { SessionError } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Takes a session that the engine has lost for one that was never there. */
export const lossReadAsAbsence: Control = {
  name: "loss read as absence",
  caughtBy: "lost data",
  applies: (place) => place.loseEverything !== undefined,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: (sessionId, select) =>
        backend.read(sessionId, select).catch((error: unknown) => {
          if (SessionError.is(error, "DATA_LOST")) return undefined;
          throw error;
        }),
    })),
};
