import { type Finding, SessionError, type Verification } from "@sessions/protocol";
import { Journal } from "./journal.js";
import type { JournalPlace } from "./journal-place.js";

/** Reads a journal from the beginning, past every cache. */
export async function verified(place: JournalPlace, sessionId: string): Promise<Verification | undefined> {
  const journal = new Journal(place);
  try {
    const head = await journal.read();
    if (head?.fold.state?.status !== "live") return undefined;
    const { revision, history } = head.fold.state;
    return { sessionId, ok: true, revision, messages: history.messages.length, findings: head.fold.benign };
  } catch (error) {
    if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
    const finding: Finding = {
      severity: "harmful",
      detail: error.message,
      location: error.location ?? place.folder,
    };
    return { sessionId, ok: false, revision: 0, messages: 0, findings: [finding] };
  } finally {
    journal.close();
  }
}
