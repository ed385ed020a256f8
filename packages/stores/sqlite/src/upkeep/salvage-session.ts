import { createStore, SessionError } from "@sessions/protocol/backend";
import type { SqliteStoreOptions } from "../options.js";
import { openExisting } from "./open-existing.js";

/** Which session to save, and what to call what is left of it. */
export type SalvageOptions = SqliteStoreOptions & { readonly sessionId: string; readonly newId: string };

/** What was saved of a damaged session. */
export interface SalvageResult {
  /** How many messages the new session has. */
  readonly messages: number;
  /** How many messages could not be read. */
  readonly lostMessages: number;
  /** Snapshots that could not be restored any more, because they hold such a message. */
  readonly lostSnapshots: readonly string[];
  /** Of the damaged session. */
  readonly incarnation: string;
  readonly revision: number;
}

/**
 * Makes a new session of everything in a damaged one that can be read. The damaged one stays as it is. INVALID_ARGUMENT if
 * it is sound; SESSION_CORRUPTED if not even its record can be read.
 */
export async function salvageSession(options: SalvageOptions): Promise<SalvageResult> {
  const { sessionId, newId, ...location } = options;
  const backend = await openExisting(location);
  await using store = createStore(backend);
  const { ok } = await store.verify(sessionId);
  const saved = ok ? undefined : await backend.salvage(sessionId);
  if (saved === undefined) {
    const message = `Session "${sessionId}" is not damaged. There is nothing to salvage.`;
    throw SessionError.of("INVALID_ARGUMENT", message, { path: "sessionId", sessionId });
  }
  const { document: session, lostMessages, lostSnapshots } = saved;
  const bundle = { format: "sessions-bundle", version: 1, sessionId, session } as const;
  await store.importSession(bundle, { newId, ifAbsent: true });
  const { incarnation, revision } = session;
  return { messages: session.messages.length, lostMessages, lostSnapshots, incarnation, revision };
}

/** The id of every session of a database, of deleted and of unreadable ones too, in order. */
export async function* sessionIds(options: SqliteStoreOptions): AsyncGenerator<string> {
  const backend = await openExisting(options);
  try {
    yield* backend.sessionIds();
  } finally {
    await backend.close();
  }
}
