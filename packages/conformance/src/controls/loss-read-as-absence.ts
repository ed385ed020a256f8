import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { readAsAbsence } from "./read-as-absence.js";

/** Reads a session that the engine has lost as absent. */
export const lossReadAsAbsence: Control = {
  name: "loss read as absence",
  caughtBy: "lost data",
  applies: (place) => place.loseEverything !== undefined,
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: (sessionId, select) => readAsAbsence(backend.read(sessionId, select), "DATA_LOST"),
    })),
};
