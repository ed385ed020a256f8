import type { SessionStore } from "@sessions/protocol";
import { behaviour } from "../../behaviour.js";
import type { Case, Guarantee } from "../../case.js";
import { Fleet } from "../../multi-process/fleet.js";

/** A case with other processes; for stores whose harness says how those open the data. */
export function several(
  name: string,
  guarantees: readonly Guarantee[],
  run: (fleet: Fleet, store: SessionStore) => Promise<void>,
  applies: (store: SessionStore) => boolean = () => true,
): Case {
  return behaviour(name, guarantees, (store, context) => Fleet.use(context, (fleet) => run(fleet, store)), {
    applies: (store, place) => place.otherProcess !== undefined && applies(store),
  });
}

/** `prefix-0`, `prefix-1`…: the ids that a worker sends. */
export function idsFrom(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}
