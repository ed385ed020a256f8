import type { Control } from "./control.js";
import { withOperations } from "./rewritten-requests.js";

/** Imports a session without its remembered commits. */
export const commitWindowNotImported: Control = {
  name: "import without the commit window",
  caughtBy: "bundles",
  breakPlace: (place) =>
    withOperations(place, (op) =>
      op.op === "create" ? { ...op, document: { ...op.document, commits: { entries: [], horizon: 0 } } } : op,
    ),
};
