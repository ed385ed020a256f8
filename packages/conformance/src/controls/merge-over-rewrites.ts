import type { Control } from "./control.js";
import { withRecords } from "./rewritten-records.js";

/** Forgets that messages were removed or changed: a history that was read before is merged all the same. */
export const mergeOverRewrites: Control = {
  name: "a merge over a rewritten history",
  caughtBy: "base merges",
  breakPlace: (place) => withRecords(place, (record) => ({ ...record, rewrittenAt: 0 })),
};
