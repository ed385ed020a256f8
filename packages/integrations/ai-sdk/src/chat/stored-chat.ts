import {
  append,
  type Message,
  type OperationInput,
  type Session,
  SessionError,
  type Turn,
  type TurnInfo,
  update,
} from "@sessions/protocol";
import { raceAbort } from "@sessions/turn-runner";
import { createUIMessageStreamResponse, type UIMessage, type UIMessageChunk } from "ai";
import { draftedMessage, emptyDraft, isDraft } from "../answer/answer-draft.js";
import { AnswerTurn } from "../answer/answer-turn.js";
import { answerIn, loadChat, uiMessages } from "../load-chat.js";
import { settledParts } from "../messages/settled-parts.js";
import { marksOf, storedMessage } from "../messages/stored-message.js";
import type { ChatHandlers } from "../options.js";
import { answerSince, followAnswer, retoldAnswer } from "../replay/follow-answer.js";
import { retrying } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { type ChatRequest, readChatRequest } from "./chat-request.js";
import { chatIdIn, sinceIn } from "./chat-url.js";
import { responding } from "./error-response.js";
import { nameOfAsked, type Placement, placement } from "./placement.js";

/** So often a page that waits is told that the connection lives. */
const KEEP_ALIVE_MS = 15_000;

type Answered = Placement & { status: "answered" };
type Open = Placement & { status: "open" };
type Placed = Answered | (Open & { readonly messages: UIMessage[] });

/** The one implementation of `ChatHandlers`. It remembers nothing: every process may answer every request. */
export class Chat implements ChatHandlers {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  readonly post = (request: Request): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const asked = await raceAbort(request.signal, () =>
        readChatRequest(request, this.#settings.maxBodyBytes),
      );
      const sessionId = await this.#settings.sessionIdOf(request, asked.chatId);
      const begun = await this.#begin(sessionId, asked);
      if (!("turn" in begun)) return this.#following(sessionId, begun.running, request, knownTo(asked));
      try {
        return await this.#answer(begun.turn, begun.session, asked, request);
      } catch (error) {
        await this.#release(begun.turn);
        throw error;
      }
    });

  readonly resume = (request: Request, chatId?: string): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const { store, sessionIdOf } = this.#settings;
      const sessionId = await sessionIdOf(request, chatId ?? chatIdIn(request));
      const session = await retrying(this.#settings, () =>
        store.getSession(sessionId, { messages: { last: 1 } }),
      );
      if (session?.turn?.status === "running") return this.#following(sessionId, session.turn, request);
      const missed = session === undefined ? undefined : await answerSince(session, sinceIn(request));
      return missed === undefined ? new Response(null, { status: 204 }) : sse(missed);
    });

  readonly stop = (request: Request, chatId?: string): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const { store, sessionIdOf } = this.#settings;
      const sessionId = await sessionIdOf(request, chatId ?? chatIdIn(request));
      const session = await retrying(this.#settings, () => store.getSession(sessionId, { messages: "none" }));
      const turn = session?.turn;
      if (turn === undefined) return Response.json({ stopped: false });
      // Whoever held an expired one is dead: nobody else will end it.
      await this.#interrupt(sessionId, turn, turn.status === "expired");
      // Whoever reads the chat after this sees what was said, and that it ended.
      await this.#untilOver(sessionId, turn, request.signal);
      return Response.json({ stopped: true });
    });

  readonly load = (request: Request, chatId?: string): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const { store, sessionIdOf } = this.#settings;
      const sessionId = await sessionIdOf(request, chatId ?? chatIdIn(request));
      const { signal } = request;
      return Response.json(await retrying(this.#settings, () => loadChat(store, sessionId, { signal })));
    });

  /** Holds the session, or tells the turn that answers this very request already. */
  async #begin(
    sessionId: string,
    asked: ChatRequest,
  ): Promise<{ turn: Turn; session: Session } | { running: TurnInfo }> {
    const { store, newId, ttlMs, waitMs, owner } = this.#settings;
    const turnId = newId();
    const begin = async (wait: number): Promise<{ turn: Turn; session: Session }> => {
      const begun = await retrying(this.#settings, () =>
        store.beginTurn(sessionId, { turnId, ttlMs, waitMs: wait, ...owner }),
      );
      if (begun.status === "begun") return begun;
      throw new TypeError(`Turn "${turnId}" is new and has ended.`);
    };
    try {
      return await begin(0);
    } catch (error) {
      if (!SessionError.is(error, "TURN_BUSY")) throw error;
    }
    const session = await retrying(this.#settings, () => store.getSession(sessionId));
    const running = session?.turn;
    if (running?.status === "running" && isAsked(session, running, asked)) return { running };
    // Who edits a question or asks it again does not want the answer that is being written.
    if (running !== undefined && replaces(asked)) await this.#interrupt(sessionId, running, false);
    return begin(waitMs);
  }

  async #interrupt(sessionId: string, { turnId }: TurnInfo, force: boolean): Promise<void> {
    await retrying(this.#settings, () => this.#settings.store.interruptTurn(sessionId, { turnId, force }));
  }

  /** Gives back a chat to which nothing was written. If that fails its lease runs out: the page is told what it asked for. */
  async #release(turn: Turn): Promise<void> {
    try {
      await retrying(this.#settings, () => turn.release());
    } catch (error) {
      if (!SessionError.is(error, "TURN_LOST")) this.#settings.onError(error);
    }
  }

  async #answer(turn: Turn, session: Session, asked: ChatRequest, request: Request): Promise<Response> {
    const { respond, newId, waitUntil } = this.#settings;
    const name = nameOfAsked(asked);
    const newAnswerId = newId();
    const place = await this.#place(turn, session, asked, newAnswerId);
    if (place.status === "answered") return this.#retelling(turn, place, asked);
    const { base, messages } = place;
    const answerId = base?.id ?? newAnswerId;
    const { sessionId } = turn;
    const { chatId } = asked;
    const answering = new AnswerTurn(this.#settings, {
      turn,
      answerId,
      asked: name,
      base,
      respond: (signal) => respond({ chatId, sessionId, messages, signal, request }),
    });
    waitUntil(answering.run());
    return sse(answering.stream);
  }

  /** Puts a message in its place, and the draft of its answer behind it. */
  async #place(turn: Turn, begun: Session, asked: ChatRequest, newAnswerId: string): Promise<Placed> {
    for (let session: Session | undefined = begun; ; ) {
      const place = placement(session?.messages ?? [], asked);
      if (place.status === "answered") return place;
      const messages = await uiMessages(place.history);
      try {
        await this.#draft(turn, place, nameOfAsked(asked), newAnswerId, session?.revision ?? 0);
        return { ...place, messages };
      } catch (error) {
        if (!SessionError.is(error, "REVISION_CONFLICT")) throw error;
      }
      session = await retrying(this.#settings, () => this.#settings.store.getSession(turn.sessionId));
    }
  }

  /**
   * One commit: the message in its place, the draft of its answer, and drafts of the dead as messages. Whoever holds no
   * turn may still append: what takes messages away has been computed of what is there, and counts for that only.
   */
  async #draft(turn: Turn, place: Open, asked: string, newAnswerId: string, revision: number): Promise<void> {
    const { ops, base, behind, history } = place;
    const beginning = base === undefined ? undefined : storedMessage(base);
    const draft = emptyDraft(base?.id ?? newAnswerId, { turnId: turn.turnId, asked }, beginning);
    const condition = ops.every(({ op }) => op === "append") ? {} : { ifRevision: revision };
    const commit = (tidied: readonly OperationInput[]): Promise<unknown> =>
      retrying(this.#settings, (options) =>
        turn.commit([...ops, ...tidied, append([draft, ...behind])], { ...options, ...condition }),
      );
    const tidied = await Promise.all(history.filter(isDraft).map(tidiedDraft));
    try {
      await commit(tidied);
    } catch (error) {
      if (tidied.length === 0 || !SessionError.is(error, "TOO_LARGE")) throw error;
      // A draft may have grown beyond what a message may be given with. It can be read as it is.
      await commit([]);
    }
  }

  async #retelling(turn: Turn, { answer }: Answered, asked: ChatRequest): Promise<Response> {
    await this.#release(turn);
    const message = await answerIn(answer);
    if (message === undefined) throw new TypeError(`Message "${answer.id}" is no answer.`);
    return sse(retoldAnswer(answer, message, knownTo(asked)));
  }

  async #untilOver(sessionId: string, turn: TurnInfo, signal: AbortSignal): Promise<void> {
    const answer = followAnswer(this.#settings, { sessionId, turn, signal });
    for (let next = await answer.next(); next.done !== true; ) next = await answer.next();
  }

  #following(sessionId: string, turn: TurnInfo, { signal }: Request, known?: UIMessage): Response {
    return sse(this.#told(followAnswer(this.#settings, { sessionId, turn, signal, known })));
  }

  /** A stream that fails says so, as any other response does. */
  async *#told(chunks: AsyncIterable<UIMessageChunk>): AsyncGenerator<UIMessageChunk, void, undefined> {
    try {
      yield* chunks;
    } catch (error) {
      yield { type: "error", errorText: this.#settings.onError(error) };
    }
  }
}

/** A draft of the dead as a message. */
async function tidiedDraft(message: Message): Promise<OperationInput> {
  const { turnId = "" } = marksOf(message);
  const drafted = storedMessage(settledParts(await draftedMessage(message)), { turnId });
  return update({ ...drafted, status: "interrupted" });
}

/** What the page has of the answer already: an answer that it wants to go on. */
function knownTo({ messages }: ChatRequest): UIMessage | undefined {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last : undefined;
}

function isAsked(session: Session | undefined, { turnId }: TurnInfo, asked: ChatRequest): boolean {
  const answer = session?.messages.findLast((message) => marksOf(message).turnId === turnId);
  return answer !== undefined && marksOf(answer).asked === nameOfAsked(asked);
}

function replaces({ trigger, messageId, messages }: ChatRequest): boolean {
  return trigger === "regenerate-message" || (messageId !== undefined && messages.at(-1)?.role === "user");
}

function sse(
  chunks: Iterable<UIMessageChunk> | AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk>,
): Response {
  const stream = chunks instanceof ReadableStream ? chunks : streamOf(chunks);
  return createUIMessageStreamResponse({ stream, keepAliveMs: KEEP_ALIVE_MS });
}

function streamOf(
  chunks: Iterable<UIMessageChunk> | AsyncIterable<UIMessageChunk>,
): ReadableStream<UIMessageChunk> {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
