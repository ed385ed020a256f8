import type { Control } from "./control.js";
import { withOperations } from "./rewritten-requests.js";

/** Interrupts the drafts of every turn that ends, also of one that completes. */
export const completionInterruptsDrafts: Control = {
  name: "completion that interrupts drafts",
  caughtBy: "turns",
  breakPlace: (place) =>
    withOperations(place, (op) => {
      if (op.op !== "turn" || op.action !== "end") return op;
      const { drafts: _, ...rest } = op;
      return rest;
    }),
};
