import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { RememberedRecords } from "./remembered-records.js";

/** Leaves out what is not there any more, and gives the rest. */
export const missingPartSkipped: Control = {
  name: "missing part skipped",
  caughtBy: "missing part",
  applies: (place) => typeof place.removePart === "function",
  breakPlace: (place) => {
    const records = new RememberedRecords();
    return withBackend(place, (backend) => ({
      read: (sessionId, select) =>
        records.read(
          backend,
          sessionId,
          select,
          (record) => record && { ...record, messages: record.messages.slice(1) },
        ),
    }));
  },
};
