import { withBackend } from "./with-backend.mjs";

const MAX_AGE_MS = 200;

/** Returns documents from a cache that other processes do not update. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => {
    const cache = new Map();
    const cached = async (key, read) => {
      const entry = cache.get(key);
      if (entry !== undefined && performance.now() - entry.at < MAX_AGE_MS) return entry.value;
      const value = await read();
      cache.set(key, { at: performance.now(), value });
      return value;
    };
    return { document: (id) => cached(id, () => backend.document(id)) };
  });
