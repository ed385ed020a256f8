import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";

export const processesDeclared: Section = {
  name: "several processes",
  cases: [
    behaviour("a store says whether several processes may open its data, and the harness how", [], async (store, { place }) => {
      const { multiProcess } = store.capabilities;
      expect(place.otherProcess !== undefined, "harness.otherProcess goes with capabilities.multiProcess").toBe(multiProcess.supported);
      if (!multiProcess.supported) expect(multiProcess.reason.length).toBeGreaterThan(10);
    }),
  ],
};
