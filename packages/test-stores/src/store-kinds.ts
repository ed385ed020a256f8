import { memoryPlace } from "./memory-place.js";
import type { Place } from "./place.js";
import { sharedKinds, sharedPlace } from "./shared-place.js";

/** A kind of store. */
export interface StoreKind {
  readonly name: string;
  /** A new place of this kind. */
  place(): Promise<Place>;
}

/** Every kind of store that something must work on. */
export const storeKinds: readonly StoreKind[] = [
  { name: "memory", place: async () => memoryPlace() },
  ...sharedKinds.map((name) => ({ name, place: () => sharedPlace(name) })),
];
