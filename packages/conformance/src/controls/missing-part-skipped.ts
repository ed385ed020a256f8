import type { Control } from "./control.js";
import { withRememberedMessages } from "./remembered-records.js";

/** Reads a session that lacks a part without it. */
export const missingPartSkipped: Control = {
  name: "missing part skipped",
  caughtBy: "missing part",
  applies: (place) => typeof place.removePart === "function",
  breakPlace: (place) => withRememberedMessages(place, (messages) => messages.slice(1)),
};
