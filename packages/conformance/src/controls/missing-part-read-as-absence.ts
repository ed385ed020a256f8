import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { readAsAbsence } from "./read-as-absence.js";

/** Reads a session that lacks a part as absent. */
export const missingPartReadAsAbsence: Control = {
  name: "missing part read as absence",
  caughtBy: "missing part",
  applies: (place) => typeof place.removePart === "function",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      document: (sessionId) => readAsAbsence(backend.document(sessionId), "SESSION_CORRUPTED", "DATA_LOST"),
    })),
};
