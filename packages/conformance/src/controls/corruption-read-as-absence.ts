import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { readAsAbsence } from "./read-as-absence.js";

/** Reads a session that cannot be decoded as absent. */
export const corruptionReadAsAbsence: Control = {
  name: "corruption read as absence",
  caughtBy: "corruption",
  applies: (place) => place.corrupt !== undefined,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: (sessionId, select) => readAsAbsence(backend.read(sessionId, select), "SESSION_CORRUPTED"),
    })),
};
