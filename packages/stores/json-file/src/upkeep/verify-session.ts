import { type Finding, SessionError, stateAt, type Verification } from "@sessions/protocol/backend";
import { Journal } from "../commit/journal.js";
import { isOfOneSession } from "../session/concerns-one-session.js";
import type { JournalPlace } from "../session/journal-folder.js";
import { surveyed, surveyedIfPossible } from "./journal-scan.js";

/** Reads everything of a session from the beginning, past every cache. `undefined` if there is none. */
export async function verified(place: JournalPlace, sessionId: string): Promise<Verification | undefined> {
  const refusal = await refusalOf(place, sessionId);
  const survey = refusal === undefined ? surveyed(place) : surveyedIfPossible(place);
  const findings = [...(survey?.findings ?? []), ...unexplained(refusal, survey?.findings)];
  const state = stateAt(survey?.state, place.context.now());
  if (findings.every(({ severity }) => severity === "benign") && state?.status !== "live") return undefined;
  return {
    sessionId,
    ok: findings.every(({ severity }) => severity === "benign"),
    revision: state?.revision ?? 0,
    messages: state?.status === "live" ? state.history.messages.length : 0,
    findings,
  };
}

/** What readers are told, if they are refused. */
async function refusalOf(place: JournalPlace, sessionId: string): Promise<SessionError | undefined> {
  const journal = new Journal(place);
  try {
    await journal.read(sessionId); // also finishes a rotation, so that the survey looks at the newest segment
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
