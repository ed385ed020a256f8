import { type Finding, SessionError, stateAt, type Verification } from "@sessions/protocol/backend";
import { isOfOneSession } from "../session/concerns-one-session.js";
import { Journal } from "../session/journal.js";
import type { JournalFolder } from "../session/journal-folder.js";
import { scanIfPossible, scanJournal } from "./journal-scan.js";

/** Reads everything of a session from the beginning, past every cache. `undefined` if there is none. */
export async function verifySession(
  folder: JournalFolder,
  sessionId: string,
): Promise<Verification | undefined> {
  const refusal = await refusalOf(folder, sessionId);
  const scan = refusal === undefined ? scanJournal(folder) : scanIfPossible(folder);
  const findings = [...(scan?.findings ?? []), ...unexplained(refusal, scan?.findings)];
  const state = stateAt(scan?.state, folder.context.now());
  const ok = findings.every(({ severity }) => severity === "benign");
  if (ok && state?.status !== "live") return undefined;
  return {
    sessionId,
    ok,
    revision: state?.revision ?? 0,
    messages: state?.status === "live" ? state.history.messages.length : 0,
    findings,
  };
}

/** The error that readers get, if they get one. */
async function refusalOf(folder: JournalFolder, sessionId: string): Promise<SessionError | undefined> {
  const journal = new Journal(folder);
  try {
    await journal.read(sessionId); // also finishes a rotation, so that the scan reads the newest segment
    return undefined;
  } catch (error) {
    if (isOfOneSession(error)) return error;
    throw error;
  } finally {
    journal.close();
  }
}

/** Damage that shows in no line, such as a segment that is missing. */
function unexplained(
  refusal: SessionError | undefined,
  findings: readonly Finding[] = [],
): readonly Finding[] {
  if (refusal === undefined || findings.some(({ severity }) => severity === "harmful")) return [];
  const location = SessionError.is(refusal, "SESSION_CORRUPTED") ? refusal.location : undefined;
  return [{ severity: "harmful", detail: refusal.message, ...(location && { location }) }];
}
