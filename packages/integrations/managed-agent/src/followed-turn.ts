import {
  type Message,
  type Session,
  SessionError,
  type SessionStore,
  type TurnInfo,
} from "@sessions/protocol";
import type { FollowEvent, TurnEnded } from "./follow-event.js";
import { hasLaterEnd, recordedEnd } from "./session/ended-turns.js";
import { Retelling } from "./turn/retelling.js";
import { type Retrying, retried } from "./turn/retried.js";
import { messagesOf, type TurnMessages, turnMessages } from "./turn/turn-messages.js";

/** A turn seen from outside: each look tells what has come since the last one. */
export class FollowedTurn {
  readonly #store: SessionStore;
  readonly #sessionId: string;
  readonly #turn: TurnInfo;
  readonly #retelling = new Retelling();
  readonly #retrying: Retrying;
  #expiresAt: number;
  /** Messages up to this one are told, and will not grow any more. */
  #anchor: string | undefined;
  #hasBegun = false;
  #hasEnded = false;

  constructor(store: SessionStore, sessionId: string, turn: TurnInfo, retrying: Retrying) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#turn = turn;
    this.#retrying = retrying;
    this.#expiresAt = turn.expiresAt;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get expiresAt(): number {
    return this.#expiresAt;
  }

  async look(): Promise<readonly FollowEvent[]> {
    const began = this.#hasBegun ? [] : [await this.#begin()];
    const session = await this.#read();
    const answers = messagesOf(session?.messages ?? [], this.#turn.turnId).answers;
    const events = answers.flatMap((message) => this.#retelling.events(message));
    this.#advance(answers);
    this.#expiresAt = session?.turn?.expiresAt ?? this.#expiresAt;
    const end = this.#endIn(session);
    this.#hasEnded = end !== undefined;
    return [...began, ...events, ...(end === undefined ? [] : [end])];
  }

  async #begin(): Promise<FollowEvent> {
    const { turnId, owner } = this.#turn;
    const read = (): Promise<TurnMessages> => turnMessages(this.#store, this.#sessionId, turnId);
    const { prompt } = await retried(this.#retrying, read);
    this.#hasBegun = true;
    this.#anchor = prompt?.id;
    const asked = prompt === undefined ? {} : { prompt };
    return { type: "turn-began", turnId, ...(owner === undefined ? {} : { owner }), ...asked };
  }

  #read(): Promise<Session | undefined> {
    return retried(this.#retrying, () => this.#present());
  }

  /** The session with the messages that may have something new. */
  async #present(): Promise<Session | undefined> {
    const messages = this.#anchor === undefined ? "all" : { after: this.#anchor };
    try {
      return await this.#store.getSession(this.#sessionId, { messages });
    } catch (error) {
      if (!SessionError.is(error, "MESSAGE_NOT_FOUND")) throw error;
      // The turn's messages were taken away: there is nothing more to tell but its end.
      return this.#store.getSession(this.#sessionId, { messages: "none" });
    }
  }

  /** To before the first message that may still change: a draft, or the last answer, which its usage is added to. */
  #advance(answers: readonly Message[]): void {
    const last = answers.findLastIndex((message) => message.role === "assistant");
    const growing = answers.findIndex((message) => message.status === "partial");
    const first = growing === -1 ? last : Math.min(last, growing);
    this.#anchor = answers[first - 1]?.id ?? this.#anchor;
  }

  #endIn(session: Session | undefined): TurnEnded | undefined {
    const { turnId, startRevision } = this.#turn;
    const now = session?.turn;
    const isCurrent = now?.turnId === turnId && now.startRevision === startRevision;
    if (isCurrent && now.status === "running") return undefined;
    if (isCurrent || session === undefined) return { type: "turn-ended", turnId, outcome: "cut-off" };
    return { type: "turn-ended", turnId, ...endOf(session, this.#turn) };
  }
}

/** How a turn ended that is not the present one any more. */
function endOf(session: Session, turn: TurnInfo): Pick<TurnEnded, "outcome" | "error"> {
  const recorded = recordedEnd(session, turn);
  const last = session.lastTurn;
  if (last?.turnId !== turn.turnId || hasLaterEnd(session, turn)) return { outcome: recorded ?? "unknown" };
  // A turn that was taken over or forced out did not say why it stopped: it was not asked.
  if (last.outcome === "interrupted" && last.error === undefined) return { outcome: recorded ?? "cut-off" };
  return { outcome: recorded ?? last.outcome, ...(last.error === undefined ? {} : { error: last.error }) };
}
