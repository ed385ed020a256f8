import { type Message, type OperationInput, type Session, SessionError, type Turn } from "@sessions/protocol";
import { type AgentEvent, stateOf, type TurnEnd, type TurnResult, TurnRunner } from "@sessions/turn-runner";
import { readContext } from "../conversation/read-context.js";
import { settle } from "../conversation/settled-mark.js";
import { withSpeaker } from "../conversation/speaker.js";
import { ShownHistory } from "../history/shown-history.js";
import { recordTurn } from "../reset/reset-operations.js";
import type { Settings } from "../settings.js";
import { answerEvents } from "./answer-events.js";
import { type PreparedConversation, prepareConversation } from "./prepare-conversation.js";
import type { UpdateRequest } from "./update-request.js";

/** The turn of an update, from its beginning to the stored answer. */
export class AnswerUpdate {
  readonly #settings: Settings;
  readonly #request: UpdateRequest;
  readonly #turn: Turn;
  readonly #session: Session;
  #prepared: PreparedConversation = { prompts: [], turns: 0 };

  constructor(settings: Settings, request: UpdateRequest, turn: Turn, session: Session) {
    this.#settings = settings;
    this.#request = request;
    this.#turn = turn;
    this.#session = session;
  }

  /** Runs the turn to its end, or until the signal aborts. */
  run(signal: AbortSignal): Promise<TurnResult> {
    return new TurnRunner({
      ...this.#settings,
      turn: this.#turn,
      signal,
      answer: (stopped) => this.#answer(stopped),
      endOperations: (end) => this.#endOperations(end),
    }).run(() => undefined);
  }

  async #answer(signal: AbortSignal): Promise<AsyncIterable<AgentEvent>> {
    const settings = this.#settings;
    const turn = this.#turn;
    const { update, sessionId, turnId, isShared } = this.#request;
    this.#prepared = await prepareConversation(settings, this.#request, turn, this.#session, signal);
    const { prompts } = this.#prepared;
    const shown = (message: Message): Message => (isShared ? withSpeaker(message) : message);
    const { messages, tokens, omitted, revision } = await readContext({
      settings,
      turn,
      prompts,
      shown,
      signal,
    });
    signal.throwIfAborted();
    const history = new ShownHistory(
      messages.map((stored) => ({ stored, shown: shown(stored) })),
      prompts,
    );
    const target = { settings, turn, base: revision, prompts };
    const input = {
      update,
      sessionId,
      turnId,
      messages: history.messages,
      context: { tokens, omitted },
      signal,
      config: settings.config,
      state: stateOf(this.#session),
    };
    return answerEvents(() => settings.respond(input), {
      isHistory: (returned) => history.isHistory(returned),
      rewrite: (returned) => history.rewrite(returned, target),
    });
  }

  /** Settles the prompts in the commit that ends the turn, so that a redelivery finds their outcome. */
  #endOperations({ outcome, messageIds }: TurnEnd): readonly OperationInput[] {
    const { prompts, turns } = this.#prepared;
    const { turnId, signal } = this.#turn;
    const now = this.#settings.clock.now();
    // A turn that failed, or that its caller or its deadline stopped, may run again. One that was interrupted may not.
    const isInterrupted =
      SessionError.is(signal.reason, "TURN_LOST") && signal.reason.reason === "interrupted";
    if (outcome === "failed" || (outcome === "interrupted" && !isInterrupted))
      return [recordTurn(turns, now)];
    const mark = {
      outcome: outcome === "completed" ? "answered" : outcome,
      turnId,
      replyIds: messageIds,
    } as const;
    return [...prompts.map(({ id }) => settle(id, mark)), recordTurn(turns + 1, now)];
  }
}
