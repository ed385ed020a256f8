import { join } from "node:path";
import { openJsonFileBackend } from "@sessions/json-file/maintenance";
import { createStore } from "@sessions/protocol/backend";
import { openSqliteBackend } from "@sessions/sqlite/maintenance";

/** A json-file store whose commits pass through `commit(backend, requests)`. */
export const jsonFileWith =
  (commit) =>
  async (root, { clock }) =>
    faulty(await openJsonFileBackend({ root, clock }), commit, clock);

/** The same on sqlite. */
export const sqliteWith =
  (commit) =>
  async (folder, { clock }) => {
    const path = join(folder, "sessions.db");
    return faulty(await openSqliteBackend({ path, clock, sweepIntervalMs: 0 }), commit, clock);
  };

function faulty(backend, commit, clock) {
  const overlaid = new Proxy(backend, {
    get(target, key) {
      if (key === "commit") return (requests) => commit(target, requests);
      const value = Reflect.get(target, key);
      // Bound, because private fields are not reached through a proxy.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return createStore(overlaid, { clock });
}
