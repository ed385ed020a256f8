import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Renews the expiry of a session with every read. */
export const readsRenew: Control = {
  name: "reads that renew the expiry",
  caughtBy: "expiry",
  breakPlace: (place) =>
    withRecords(place, (record) =>
      record.renewOnUse === true && record.expiresIn !== undefined
        ? { ...record, expiresAt: Date.now() + record.expiresIn }
        : record,
    ),
};
