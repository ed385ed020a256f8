import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Merges a history although messages were removed or changed since it was read. */
export const rewritesIgnored: Control = {
  name: "merge over a rewritten history",
  caughtBy: "base merges",
  breakPlace: (place) => withRecords(place, (record) => ({ ...record, rewrittenAt: 0 })),
};
