import type { Session } from "@sessions/protocol";
import type { CutOffTurn } from "./recovery.js";
import { wasKept } from "./session/agent-record.js";
import { answerText } from "./turn/result-of.js";
import { messagesOf } from "./turn/turn-messages.js";

/** The turn that did not come to its end, in a session that was read with all its live messages. */
export function cutOffIn(session: Session): CutOffTurn | undefined {
  const suspect = suspectIn(session);
  if (suspect === undefined) return undefined;
  const { answers, ...asked } = messagesOf(session.messages, suspect.turnId);
  // Nothing of it is left: it was discarded, undone or archived.
  const isGone = session.turn === undefined && asked.prompt === undefined && answers.length === 0;
  return isGone ? undefined : { ...suspect, ...asked, messages: answers, text: answerText(answers) };
}

/** The turn that holds the session, or else the last one, if it ended badly and nobody has dealt with it. */
function suspectIn(session: Session): Omit<CutOffTurn, "prompt" | "messages" | "text"> | undefined {
  const { turn, lastTurn } = session;
  if (turn !== undefined) {
    const { turnId, status, owner, startedAt, startRevision } = turn;
    return { turnId, status, startedAt, startRevision, ...(owner === undefined ? {} : { owner }) };
  }
  if (lastTurn === undefined || lastTurn.outcome === "completed" || wasKept(session, lastTurn.turnId))
    return undefined;
  const { turnId, outcome, error, endedAt } = lastTurn;
  return { turnId, status: outcome, endedAt, ...(error === undefined ? {} : { error }) };
}
