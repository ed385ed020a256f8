import { createStore, SessionError } from "@sessions/protocol/backend";
import type { SqliteStoreOptions } from "../options.js";
import { openExisting } from "./open-existing.js";

/** Which session to remove. */
export type RemoveDamagedOptions = SqliteStoreOptions & { readonly sessionId: string };

/**
 * Removes a damaged session with everything that can still be read of it, so that its id can be used again. Its forks and snapshots of
 * other sessions keep what they share with it. INVALID_ARGUMENT if it is sound: delete it like any other. Close every store on the
 * database first: a watcher is not told.
 */
export async function removeDamagedSession(options: RemoveDamagedOptions): Promise<void> {
  const { sessionId, ...location } = options;
  const backend = await openExisting(location);
  await using store = createStore(backend);
  if (await isSound(store, sessionId)) {
    const message = `Session "${sessionId}" is not damaged. Delete it with deleteSession.`;
    throw SessionError.of("INVALID_ARGUMENT", message, { path: "sessionId", sessionId });
  }
  await backend.removeRows(sessionId);
}

async function isSound(store: ReturnType<typeof createStore>, sessionId: string): Promise<boolean> {
  try {
    return (await store.verify(sessionId)).ok;
  } catch (error) {
    if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
    return false;
  }
}
