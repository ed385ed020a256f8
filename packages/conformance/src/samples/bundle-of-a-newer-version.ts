import type { SessionBundle, SessionStore } from "@sessions/protocol";
import { eventfulSession } from "./eventful-session.js";
import { untyped } from "./untyped.js";

const ADDED = { added: { later: [1] } };

/**
 * A bundle with fields that this version does not know, in all of its records. Some have names that stores use for
 * their own state, and must not be read as such.
 */
export async function bundleOfANewerVersion(store: SessionStore, id: string): Promise<SessionBundle> {
  await eventfulSession(store, id);
  const bundle = await store.exportSession(id);
  const { session } = bundle;
  const { finishedTurns, commits } = session;
  const parent = { sessionId: "p", incarnation: "i", ...ADDED };
  return untyped({
    ...bundle,
    session: {
      ...session,
      parent,
      messages: session.messages.map(extended),
      archives: session.archives.map(extendedArchive),
      snapshots: session.snapshots.map((snapshot) => ({
        ...snapshot,
        messages: snapshot.messages.map(extended),
        archives: snapshot.archives.map(extendedArchive),
        head: [[1, 2]],
        history: "later",
        ...ADDED,
      })),
      lastTurn: { ...session.lastTurn, ...ADDED },
      finishedTurns: { ...finishedTurns, entries: finishedTurns.entries.map(extended) },
      commits: { ...commits, entries: commits.entries.map(extended) },
      status: "deleted",
      turn: { turnId: "t9", token: "9.x", owner: "nobody" },
      ...ADDED,
    },
  });
}

function extended<Record extends object>(record: Record): Record {
  return { ...record, ...ADDED };
}

function extendedArchive<Archive extends { readonly summary: object }>(archive: Archive): Archive {
  return extended({ ...archive, summary: extended(archive.summary) });
}
