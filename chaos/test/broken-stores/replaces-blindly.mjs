import { openJsonFileStore } from "@sessions/json-file";
import { withMethods } from "run-tools";

/** Replaces a history without its base, and so removes what other processes have appended since it was read. */
export async function open(root, clock) {
  const store = await openJsonFileStore({ root, clock });
  return withMethods(store, {
    setChatHistory: (id, messages, { base: _base, ...options } = {}) =>
      store.setChatHistory(id, messages, options),
  });
}
