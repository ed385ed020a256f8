import type { SessionStore } from "@sessions/protocol";
import { idsOf } from "./messages.js";

/** The ids of all archived messages of a session. */
export async function archivedIds(store: SessionStore, sessionId: string): Promise<readonly string[]> {
  const archives = await store.listArchives(sessionId);
  const whole = await Promise.all(archives.map(({ id }) => store.getArchive(sessionId, id)));
  return whole.flatMap(({ messages }) => idsOf(messages));
}
