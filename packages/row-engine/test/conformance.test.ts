import { conformance } from "@sessions/conformance";
import { createStore, systemClock } from "@sessions/protocol/backend";
import { MapBackend } from "./map-store/map-backend.js";

await conformance({
  name: "rows in maps",
  place: async () => {
    const backend = new MapBackend(() => systemClock.now());
    return {
      open: async () => createStore(backend),
      openBackend: async () => backend,
      cleanup: async () => undefined,
    };
  },
});
