import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";
import { RememberedRecords } from "./remembered-records.js";

/** Looks at the format when it opens and when it writes: what it has in memory it goes on reading. */
export const newerFormatRead: Control = {
  name: "newer format read by a warm store",
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
