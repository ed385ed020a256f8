import { createMemoryData, openMemoryStore } from "@sessions/memory";
import { type Place, placeOf } from "./place.js";

/** A new place in memory, for one process. */
export function memoryPlace(): Place {
  const data = createMemoryData();
  return placeOf(async (options) => openMemoryStore({ data, ...options }));
}
