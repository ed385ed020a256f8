import type { SessionRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Caches reads, and clears the cache only when it writes itself. */
export const staleCache: Control = {
  name: "stale cache",
  caughtBy: "read-fresh",
  breakPlace: (place) =>
    withBackend(place, (backend) => {
      const cache = new Map<string, SessionRecord | undefined>();
      return {
        read: async (sessionId, select) => {
          const key = JSON.stringify([sessionId, select]);
          if (!cache.has(key)) cache.set(key, await backend.read(sessionId, select));
          return cache.get(key);
        },
        commit: (requests) => {
          cache.clear();
          return backend.commit(requests).finally(() => cache.clear());
        },
      };
    }),
};
