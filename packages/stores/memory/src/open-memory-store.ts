import { createStore, requireOptions, type SessionStore, systemClock } from "@sessions/protocol/backend";
import { MemoryBackend } from "./memory-backend.js";
import { createMemoryData } from "./memory-data.js";
import { MEMORY_STORE_OPTIONS, type MemoryStoreOptions } from "./options.js";

/**
 * Opens a store that keeps its sessions in this process: for tests, and to try things.
 *
 * @example
 * ```ts
 * const store = openMemoryStore();
 * await store.addMessage("user-42", { role: "user", content: "hello" });
 * ```
 */
export function openMemoryStore(options: MemoryStoreOptions = {}): SessionStore {
  const { data = createMemoryData(), ...storeOptions } = requireOptions(options, MEMORY_STORE_OPTIONS);
  const { clock = systemClock } = storeOptions;
  return createStore(new MemoryBackend(data, () => clock.now()), storeOptions);
}
