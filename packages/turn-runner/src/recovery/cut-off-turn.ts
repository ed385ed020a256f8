import type { Message, Session } from "@sessions/protocol";
import { answerText } from "../history/answer-text.js";
import { wasKept } from "../history/kept-turn.js";
import { messagesOfTurn } from "../replay/turn-messages.js";

/** A turn that did not complete. */
export interface CutOffTurn {
  readonly turnId: string;
  /**
   * `running`: its lease has not expired; its process may be alive. `expired`: nobody renews the lease. `failed` and
   * `interrupted`: it has ended, and its answer is incomplete.
   */
  readonly status: "running" | "expired" | "failed" | "interrupted";
  readonly error?: string;
  /** The owner of the turn, if it still holds the session. */
  readonly owner?: string;
  /** When this attempt began, if it still holds the session. */
  readonly startedAt?: number;
  /** The revision at which this attempt began, if it still holds the session. */
  readonly startRevision?: number;
  /** When this attempt ended, if it did. */
  readonly endedAt?: number;
  /** The prompt, if it is still live. */
  readonly prompt?: Message;
  /** The stored part of the answer. */
  readonly messages: readonly Message[];
  /** The text of the answer's last message. */
  readonly text: string;
}

/** The cut-off turn of a session that was read with all its live messages. */
export function cutOffTurn(session: Session): CutOffTurn | undefined {
  const suspect = suspectIn(session);
  if (suspect === undefined) return undefined;
  const { answers, ...asked } = messagesOfTurn(session.messages, suspect.turnId);
  // Nothing of it is left: it was discarded, undone or archived.
  const isGone = session.turn === undefined && asked.prompt === undefined && answers.length === 0;
  return isGone ? undefined : { ...suspect, ...asked, messages: answers, text: answerText(answers) };
}

/** The turn that holds the session; else the last turn, if it did not complete and was not kept. */
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
