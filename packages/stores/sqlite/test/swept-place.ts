import type { Place } from "@sessions/conformance";
import { createStore, type SessionBackend } from "@sessions/protocol/backend";
import { openSqliteBackend, type SqliteSessionBackend } from "../src/open-sqlite-store.js";
import { temporaryPath } from "./temporary.js";
import { withBackendMethods } from "./with-backend-methods.js";

const COMMITS_PER_SWEEP = 3;

/** A place whose stores sweep before every third commit, so that tests notice a row that is removed too early. */
export async function sweptPlace(): Promise<Place> {
  const path = await temporaryPath();
  const openBackend = async (): Promise<SessionBackend> =>
    sweeping(await openSqliteBackend({ path, sweepIntervalMs: 0 }));
  return {
    openBackend,
    open: async () => createStore(await openBackend()),
    cleanup: async () => undefined, // the test removes it
  };
}

function sweeping(backend: SqliteSessionBackend): SessionBackend {
  let commits = 0;
  return withBackendMethods(backend, {
    async commit(requests) {
      if (++commits % COMMITS_PER_SWEEP === 0) await backend.sweep();
      return backend.commit(requests);
    },
  });
}
