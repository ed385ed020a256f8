import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Puts the end of a session off whenever somebody reads it. */
export const readsRenew: Control = {
  name: "reads renew",
  caughtBy: "expiry",
  breakPlace: (place) =>
    withRecords(place, (record) =>
      record.renewOnUse === true && record.expiresIn !== undefined
        ? { ...record, expiresAt: Date.now() + record.expiresIn }
        : record,
    ),
};
