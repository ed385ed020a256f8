import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";

/** The case for a place without the hook `corrupt`: the store must not be durable. */
export const noDamage: Case = behaviour(
  "declared absent: a store whose place has no hook `corrupt` is not durable",
  ["G8"],
  async (store) => {
    expect(store.capabilities.durable, "a durable store's place gives `corrupt`").toMatchObject({
      supported: false,
    });
  },
  { applies: (_store, place) => place.corrupt === undefined },
);
