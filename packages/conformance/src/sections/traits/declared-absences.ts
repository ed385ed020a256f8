import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";

/** The store's capabilities and the harness's hooks must agree: a store cannot pass by leaving a hook out. */
export const declaredAbsences: Section = {
  name: "what is declared",
  cases: [
    behaviour(
      "the place of a multi-process store has the hook `otherProcess`",
      ["G1"],
      async (_store, { place }) => {
        expect(place.otherProcess, "the place has `otherProcess`").toMatchObject({
          module: expect.any(String),
        });
      },
      { applies: (store) => store.capabilities.multiProcess.supported },
    ),
    behaviour(
      "declared absent: a single-process store has a reason, and its place no hook `otherProcess`",
      ["G1"],
      async (store, { place }) => {
        const { multiProcess } = store.capabilities;
        expect(multiProcess.supported ? "" : multiProcess.reason).toMatch(/\w+ \w+/);
        expect(place.otherProcess).toBeUndefined();
      },
      { applies: (store) => !store.capabilities.multiProcess.supported },
    ),
    behaviour(
      "the place of a durable store has the hooks `corrupt` and `newerFormat`",
      ["G8", "G20"],
      async (_store, { place }) => {
        expect(place.corrupt, "the place has `corrupt`").toBeTypeOf("function");
        expect(place.newerFormat, "the place has `newerFormat`").toBeTypeOf("function");
      },
      { applies: (store) => store.capabilities.durable.supported },
    ),
    behaviour(
      "the place of a durable store has the hooks `removePart` and `plantForeign`, or a reason for each",
      ["G8"],
      async (_store, { place }) => {
        for (const hook of ["removePart", "plantForeign"] as const) {
          const value = place[hook];
          if (typeof value === "object")
            expect(value.reason, `the reason for no \`${hook}\``).toMatch(/\w+ \w+/);
          else expect(value, `the place has \`${hook}\``).toBeTypeOf("function");
        }
      },
      { applies: (store) => store.capabilities.durable.supported },
    ),
    behaviour(
      "declared absent: a store that is not durable has a reason",
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
