import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";

/** For a store without the hook `corrupt`: it must be one that is not durable. */
export const noDamage: Case = behaviour(
  "declared absent: only data that outlives its process can be damaged",
  ["G8"],
  async (store) => {
    expect(store.capabilities.durable, "a durable store's place gives `corrupt`").toMatchObject({
      supported: false,
    });
  },
  { applies: (_store, place) => place.corrupt === undefined },
);
