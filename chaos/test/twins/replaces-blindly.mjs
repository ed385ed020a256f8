import { openJsonFileStore } from "@sessions/json-file";
import { overlaid } from "./faulty.mjs";

/** Replaces a history without a look at what others have appended since it was read. */
export async function open(root, clock) {
  const store = await openJsonFileStore({ root, clock });
  return overlaid(store, {
    setChatHistory: (id, messages, { base: _base, ...options } = {}) =>
      store.setChatHistory(id, messages, options),
  });
}
