import { SessionError } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Takes a session that lacks a part for one that was never there. */
export const missingPartReadAsAbsence: Control = {
  name: "missing part read as absence",
  caughtBy: "missing part",
  applies: (place) => typeof place.removePart === "function",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      document: (sessionId) =>
        backend.document(sessionId).catch((error: unknown) => {
          if (SessionError.is(error, "SESSION_CORRUPTED", "DATA_LOST")) return undefined;
          throw error;
        }),
    })),
};
