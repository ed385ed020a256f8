import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { RememberedRecords } from "./remembered-records.js";

/** Checks the format when it opens and writes, and reads from memory without a check. */
export const newerFormatRead: Control = {
  name: "newer format read from memory",
  caughtBy: "schema",
  applies: (place) => place.newerFormat !== undefined,
  breakPlace: (place) => {
    const records = new RememberedRecords();
    return withBackend(place, (backend) => {
      let isWarm = false;
      return {
        read: (sessionId, select) =>
          records.read(backend, sessionId, select, (record, error) => {
            if (isWarm && record !== undefined) return record;
            throw error;
          }),
        commit: async (requests) => {
          isWarm = true;
          return backend.commit(requests);
        },
      };
    });
  },
};
