import { SessionError } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Takes what cannot be read for what is not there. */
export const corruptionReadAsAbsence: Control = {
  name: "corruption read as absence",
  caughtBy: "corruption",
  applies: (place) => place.corrupt !== undefined,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: (sessionId, select) =>
        backend.read(sessionId, select).catch((error: unknown) => {
          if (SessionError.is(error, "SESSION_CORRUPTED")) return undefined;
          throw error;
        }),
    })),
};
