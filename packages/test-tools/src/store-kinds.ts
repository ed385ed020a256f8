import type { SessionStore } from "@sessions/protocol";
import { memoryPlace } from "./memory-place.js";
import type { Place } from "./place.js";
import { sharedKinds, sharedPlace } from "./shared-place.js";

/** A kind of store. */
export interface StoreKind {
  readonly name: string;
  /** A new place of this kind. */
  place(): Promise<Place>;
  /** A store at a new place. */
  open(): Promise<SessionStore>;
}

/** Every kind of store. */
export const storeKinds: readonly StoreKind[] = [
  kindOf("memory", async () => memoryPlace()),
  ...sharedKinds.map((name) => kindOf(name, () => sharedPlace(name))),
];

function kindOf(name: string, place: () => Promise<Place>): StoreKind {
  return { name, place, open: async () => (await place()).open() };
}
