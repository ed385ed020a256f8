import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { RememberedRecords } from "./remembered-records.js";

/** Serves the messages before the damage as if they were all. */
export const truncatedHistory: Control = {
  name: "truncated history served",
  caughtBy: "repeated reads of damage",
  applies: (place) => place.corrupt !== undefined,
  breakPlace: (place) => {
    const records = new RememberedRecords();
    return withBackend(place, (backend) => ({
      read: (sessionId, select) =>
        records.read(
          backend,
          sessionId,
          select,
          (record) => record && { ...record, messages: record.messages.slice(0, 1) },
        ),
    }));
  },
};
