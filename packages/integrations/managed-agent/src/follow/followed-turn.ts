import {
  type Message,
  type Session,
  SessionError,
  type SessionStore,
  type TurnInfo,
} from "@sessions/protocol";
import { EventReplay, messagesOfTurn, type RetryPolicy, retry, turnMessages } from "@sessions/turn-runner";
import { hasLaterEnd, recordedEnd } from "./ended-turns.js";
import type { FollowEvent, TurnEnded } from "./follow-event.js";

/** A turn as a follower sees it: each read yields what is new. */
export class FollowedTurn {
  readonly #store: SessionStore;
  readonly #sessionId: string;
  readonly #turn: TurnInfo;
  readonly #replay = new EventReplay();
  readonly #policy: RetryPolicy;
  #expiresAt: number;
  /** The last message that is replayed and cannot grow any more: later ones are read again. */
  #anchor: string | undefined;
  #hasBegun = false;
  #hasEnded = false;

  constructor(store: SessionStore, sessionId: string, turn: TurnInfo, policy: RetryPolicy) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#turn = turn;
    this.#policy = policy;
    this.#expiresAt = turn.expiresAt;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** When the lease ends, as of the last read. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Reads the session and returns the events since the last read. */
  async newEvents(): Promise<readonly FollowEvent[]> {
    const began = this.#hasBegun ? [] : [await this.#begin()];
    const session = await retry(this.#policy, () => this.#read());
    const { answers } = messagesOfTurn(session?.messages ?? [], this.#turn.turnId);
    const events = answers.flatMap((message) => this.#replay.events(message));
    this.#advance(answers);
    this.#expiresAt = session?.turn?.expiresAt ?? this.#expiresAt;
    const end = this.#endIn(session);
    this.#hasEnded = end !== undefined;
    return [...began, ...events, ...(end === undefined ? [] : [end])];
  }

  async #begin(): Promise<FollowEvent> {
    const { turnId, owner } = this.#turn;
    const { prompt } = await retry(this.#policy, () => turnMessages(this.#store, this.#sessionId, turnId));
    this.#hasBegun = true;
    this.#anchor = prompt?.id;
    const asked = prompt === undefined ? {} : { prompt };
    return { type: "turn-began", turnId, ...(owner === undefined ? {} : { owner }), ...asked };
  }

  /** The session with the messages that may have something new. */
  async #read(): Promise<Session | undefined> {
    const messages = this.#anchor === undefined ? "all" : { after: this.#anchor };
    try {
      return await this.#store.getSession(this.#sessionId, { messages });
    } catch (error) {
      if (!SessionError.is(error, "MESSAGE_NOT_FOUND")) throw error;
      // The turn's messages were removed: only its end is left to report.
      return this.#store.getSession(this.#sessionId, { messages: "none" });
    }
  }

  /** Moves the anchor before the first message that may still change: a draft, or the last answer, which gets the usage. */
  #advance(answers: readonly Message[]): void {
    const last = answers.findLastIndex((message) => message.role === "assistant");
    const draft = answers.findIndex((message) => message.status === "partial");
    const first = draft === -1 ? last : Math.min(last, draft);
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

/** How a turn ended that no longer holds the session. */
function endOf(session: Session, turn: TurnInfo): Pick<TurnEnded, "outcome" | "error"> {
  const recorded = recordedEnd(session, turn);
  const last = session.lastTurn;
  if (last?.turnId !== turn.turnId || hasLaterEnd(session, turn)) return { outcome: recorded ?? "unknown" };
  // A turn that was taken over or forced out has no error: it did not end itself.
  if (last.outcome === "interrupted" && last.error === undefined) return { outcome: recorded ?? "cut-off" };
  return { outcome: recorded ?? last.outcome, ...(last.error === undefined ? {} : { error: last.error }) };
}
