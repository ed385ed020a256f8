import { join } from "node:path";
import { openJsonFileBackend } from "@sessions/json-file/maintenance";
import { createStore } from "@sessions/protocol/backend";
import { openSqliteBackend } from "@sessions/sqlite/maintenance";
import { withMethods } from "run-tools";

/** The `open` of a json-file store whose commits are made by `commit(backend, requests)`. */
export const jsonFileWith =
  (commit) =>
  async (root, { clock }) =>
    withCommit(await openJsonFileBackend({ root, clock }), commit, clock);

/** The same for sqlite. */
export const sqliteWith =
  (commit) =>
  async (folder, { clock }) => {
    const path = join(folder, "sessions.db");
    return withCommit(await openSqliteBackend({ path, clock, sweepIntervalMs: 0 }), commit, clock);
  };

function withCommit(backend, commit, clock) {
  const broken = withMethods(backend, { commit: (requests) => commit(backend, requests) });
  return createStore(broken, { clock });
}
