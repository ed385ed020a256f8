import type { Place } from "@sessions/conformance";
import { MemoryBackend } from "../src/memory-backend.js";
import { createMemoryData } from "../src/memory-data.js";
import { openMemoryStore } from "../src/open-memory-store.js";

/** A place in memory: what several stores of this process share. */
export function memoryPlace(): Place {
  const data = createMemoryData();
  return {
    open: async () => openMemoryStore({ data }),
    openBackend: async () => new MemoryBackend(data, () => Date.now()),
    cleanup: async () => data.states.clear(),
  };
}
