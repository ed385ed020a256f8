import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";

/** What is declared and what the harness offers must agree: nobody passes by leaving a hook out. */
export const declaredAbsences: Section = {
  name: "what is declared",
  cases: [
    behaviour(
      "a store that several processes may open says how another one opens it",
      ["G1"],
      async (_store, { place }) => {
        expect(place.otherProcess, "the place gives `otherProcess`").toMatchObject({
          module: expect.any(String),
        });
      },
      { applies: (store) => store.capabilities.multiProcess.supported },
    ),
    behaviour(
      "declared absent: a store of one process says why, and offers no other",
      ["G1"],
      async (store, { place }) => {
        const { multiProcess } = store.capabilities;
        expect(multiProcess.supported ? "" : multiProcess.reason).toMatch(/\w+ \w+/);
        expect(place.otherProcess).toBeUndefined();
      },
      { applies: (store) => !store.capabilities.multiProcess.supported },
    ),
    behaviour(
      "a durable store's place can damage its data and date it ahead",
      ["G8", "G20"],
      async (_store, { place }) => {
        expect(place.corrupt, "the place gives `corrupt`").toBeTypeOf("function");
        expect(place.newerFormat, "the place gives `newerFormat`").toBeTypeOf("function");
      },
      { applies: (store) => store.capabilities.durable.supported },
    ),
    behaviour(
      "a durable store's place can remove parts of a session and plant foreign entries, or says why not",
      ["G8"],
      async (_store, { place }) => {
        for (const hook of ["removePart", "plantForeign"] as const) {
          const given = place[hook];
          if (typeof given === "object")
            expect(given.reason, `the reason for no \`${hook}\``).toMatch(/\w+ \w+/);
          else expect(given, `the place gives \`${hook}\``).toBeTypeOf("function");
        }
      },
      { applies: (store) => store.capabilities.durable.supported },
    ),
    behaviour(
      "declared absent: a store that is not durable says why",
      ["G1"],
      async (store) => {
        const { durable } = store.capabilities;
        expect(durable.supported ? "" : durable.reason).toMatch(/\w+ \w+/);
        expect(await store.describe()).toMatchObject({ durability: { survives: "nothing" } });
      },
      { applies: (store) => !store.capabilities.durable.supported },
    ),
  ],
};
