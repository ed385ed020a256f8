import type { Control } from "./control.js";
import { withRememberedMessages } from "./remembered-records.js";

/** Serves the messages before the damage as the whole history. */
export const truncatedHistory: Control = {
  name: "truncated history served",
  caughtBy: "repeated reads of damage",
  applies: (place) => place.corrupt !== undefined,
  breakPlace: (place) => withRememberedMessages(place, (messages) => messages.slice(0, 1)),
};
