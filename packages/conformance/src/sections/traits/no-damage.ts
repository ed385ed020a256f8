import type { SessionStore } from "@sessions/protocol";
import { expectNotDurable } from "../../assertions/expect-not-durable.js";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";
import type { Place } from "../../harness.js";

/** Applies to a case that damages stored data. */
export const canCorrupt = (_store: SessionStore, place: Place): boolean => place.corrupt !== undefined;

/** The case for a place without the hook `corrupt`: the store must not be durable. */
export const noDamage: Case = behaviour(
  "declared absent: a store whose place has no hook `corrupt` is not durable",
  ["G8"],
  async (store) => {
    expectNotDurable(store, "corrupt");
  },
  { applies: (store, place) => !canCorrupt(store, place) },
);
