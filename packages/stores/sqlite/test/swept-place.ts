import type { Place } from "@sessions/conformance";
import { createStore, type SessionBackend } from "@sessions/protocol/backend";
import { openSqliteBackend, type SqliteSessionBackend } from "../src/open-sqlite-store.js";
import { temporaryPath } from "./temporary.js";

/** Every so many commits of an instance it sweeps first. */
const SWEEP_EVERY = 3;

/** A place whose stores sweep all the time: what they remove must be missed by nobody. */
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
  return {
    capabilities: backend.capabilities,
    async commit(requests) {
      if (++commits % SWEEP_EVERY === 0) await backend.sweep();
      return backend.commit(requests);
    },
    read: (sessionId, select) => backend.read(sessionId, select),
    document: (sessionId) => backend.document(sessionId),
    list: (query) => backend.list(query),
    watch: (target, signal) => backend.watch(target, signal),
    verify: (sessionId) => backend.verify(sessionId),
    describe: () => backend.describe(),
    close: () => backend.close(),
  };
}
