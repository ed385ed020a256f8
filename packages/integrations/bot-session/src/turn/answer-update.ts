import { type Message, type OperationInput, type Session, SessionError, type Turn } from "@sessions/protocol";
import { type AgentEvent, stateOf, type TurnEnd, type TurnResult, TurnRunner } from "@sessions/turn-runner";
import { readContext } from "../conversation/read-context.js";
import { settles } from "../conversation/settled-mark.js";
import { withSpeaker } from "../conversation/speaker.js";
import { HandedHistory } from "../history/shown-history.js";
import { turnTaken } from "../reset/reset-operations.js";
import type { Settings } from "../settings.js";
import { eventsOf } from "./answer-events.js";
import { type Opened, openConversation } from "./prepare-conversation.js";
import type { UpdateRequest } from "./update-request.js";

/** A turn of a bot that holds its conversation: from the question to the stored answer. */
export class AnswerUpdate {
  readonly #settings: Settings;
  readonly #request: UpdateRequest;
  readonly #turn: Turn;
  readonly #session: Session;
  #opened: Opened = { prompts: [], turns: 0 };

  constructor(settings: Settings, request: UpdateRequest, turn: Turn, session: Session) {
    this.#settings = settings;
    this.#request = request;
    this.#turn = turn;
    this.#session = session;
  }

  /** Runs it to its end, or until the signal aborts. */
  run(signal: AbortSignal): Promise<TurnResult> {
    return new TurnRunner({
      ...this.#settings,
      turn: this.#turn,
      signal,
      answer: (stopped) => this.#answer(stopped),
      endOperations: (end) => this.#ending(end),
    }).run(() => undefined);
  }

  async #answer(signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> {
    const settings = this.#settings;
    const { update, sessionId, turnId, isShared } = this.#request;
    this.#opened = await openConversation(settings, this.#request, this.#turn, this.#session, signal);
    const { prompts } = this.#opened;
    const shown = (message: Message): Message => (isShared ? withSpeaker(message) : message);
    const { messages, tokens, omitted, revision } = await readContext({
      settings,
      turn: this.#turn,
      prompts,
      shown,
      signal,
    });
    signal.throwIfAborted();
    const handed = messages.map((stored) => ({ stored, shown: shown(stored) }));
    const history = new HandedHistory(handed, prompts);
    const place = {
      settings,
      turn: this.#turn,
      base: revision,
      prompts,
    };
    const asked = {
      update,
      sessionId,
      turnId,
      messages: handed.map((one) => one.shown),
      context: { tokens, omitted },
      signal,
      config: settings.config,
      state: stateOf(this.#session),
    };
    return eventsOf(() => settings.respond(asked), {
      isHistory: (given) => history.isHistory(given),
      rewrite: (given) => history.rewrite(given, place),
    });
  }

  /** With the end of the turn: what became of its questions, for whoever delivers them again. */
  #ending({ outcome, messageIds }: TurnEnd): readonly OperationInput[] {
    const { prompts, turns } = this.#opened;
    const { turnId, signal } = this.#turn;
    const now = this.#settings.clock.now();
    if (outcome === "failed") return [turnTaken(turns, now)];
    const isStopped = SessionError.is(signal.reason, "TURN_LOST") && signal.reason.reason === "interrupted";
    // Stopped by its caller or by its deadline, it may run again.
    if (outcome === "interrupted" && !isStopped) return [turnTaken(turns, now)];
    const mark = {
      outcome: outcome === "completed" ? "answered" : outcome,
      turnId,
      replyIds: messageIds,
    } as const;
    return [...prompts.map(({ id }) => settles(id, mark)), turnTaken(turns + 1, now)];
  }
}
