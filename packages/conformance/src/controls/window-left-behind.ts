import type { Control } from "./control.js";
import { withOperations } from "./rewritten-requests.js";

/** Imports a session without what it remembers of its commits. */
export const windowLeftBehind: Control = {
  name: "import that leaves the commit window behind",
  caughtBy: "bundles",
  breakPlace: (place) =>
    withOperations(place, (op) =>
      op.op === "create" ? { ...op, document: { ...op.document, commits: { entries: [], horizon: 0 } } } : op,
    ),
};
