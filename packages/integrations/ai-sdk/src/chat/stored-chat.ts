import { type Session, SessionError, type Turn, type TurnInfo } from "@sessions/protocol";
import { raceAbort, retry } from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";
import { AnswerTurn } from "../answer/answer-turn.js";
import { answerIn, loadChat } from "../load-chat.js";
import type { ChatHandlers } from "../options.js";
import { pageRetryPolicy } from "../page-retry-policy.js";
import { answerSince, followAnswer, replayAnswer } from "../replay/follow-answer.js";
import type { Settings } from "../settings.js";
import { beginAnswer, interruptAnswer } from "./begin-answer.js";
import { type ChatRequest, readChatRequest } from "./chat-request.js";
import { chatStream } from "./chat-stream.js";
import { chatIdIn, sinceIn } from "./chat-url.js";
import { responding } from "./error-response.js";
import { type Answered, requestName } from "./placement.js";
import { type StoredQuestion, storeQuestion } from "./store-question.js";

/** The one implementation of `ChatHandlers`. It keeps no state: every process can answer every request. */
export class StoredChat implements ChatHandlers {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  readonly post = (request: Request): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const { maxBodyBytes, sessionIdOf } = this.#settings;
      const asked = await raceAbort(request.signal, () => readChatRequest(request, maxBodyBytes));
      const sessionId = await sessionIdOf(request, asked.chatId);
      const begun = await beginAnswer(this.#settings, sessionId, asked);
      if (!("turn" in begun)) return this.#follow(sessionId, begun.running, request, knownTo(asked));
      try {
        return await this.#answer(begun.turn, begun.session, asked, request);
      } catch (error) {
        await this.#release(begun.turn);
        throw error;
      }
    });

  readonly resume = (request: Request, chatId?: string): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const sessionId = await this.#sessionId(request, chatId);
      const session = await this.#read(sessionId, { last: 1 });
      if (session?.turn?.status === "running") return this.#follow(sessionId, session.turn, request);
      const missed = session === undefined ? undefined : await answerSince(session, sinceIn(request));
      return missed === undefined ? new Response(null, { status: 204 }) : chatStream(missed);
    });

  readonly stop = (request: Request, chatId?: string): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const sessionId = await this.#sessionId(request, chatId);
      const turn = (await this.#read(sessionId, "none"))?.turn;
      if (turn === undefined) return Response.json({ stopped: false });
      // The process of an expired turn is dead, and no other one ends the turn.
      await interruptAnswer(this.#settings, sessionId, turn, turn.status === "expired");
      // A page that loads the chat after this response sees the end of the answer.
      await this.#untilEnded(sessionId, turn, request.signal);
      return Response.json({ stopped: true });
    });

  readonly load = (request: Request, chatId?: string): Promise<Response> =>
    responding(this.#settings.onError, request, async () => {
      const sessionId = await this.#sessionId(request, chatId);
      const { store } = this.#settings;
      const { signal } = request;
      return Response.json(
        await retry(pageRetryPolicy(this.#settings), () => loadChat(store, sessionId, { signal })),
      );
    });

  #sessionId(request: Request, chatId: string | undefined): Promise<string> {
    return this.#settings.sessionIdOf(request, chatId ?? chatIdIn(request));
  }

  #read(sessionId: string, messages: "none" | { readonly last: number }): Promise<Session | undefined> {
    const { store } = this.#settings;
    return retry(pageRetryPolicy(this.#settings), () => store.getSession(sessionId, { messages }));
  }

  /** Gives the turn back. If that fails, its lease expires, and the page gets the first error. */
  async #release(turn: Turn): Promise<void> {
    try {
      await retry(pageRetryPolicy(this.#settings), () => turn.release());
    } catch (error) {
      if (!SessionError.is(error, "TURN_LOST")) this.#settings.onError(error);
    }
  }

  async #answer(turn: Turn, session: Session, asked: ChatRequest, request: Request): Promise<Response> {
    const newAnswerId = this.#settings.newId();
    const place = await storeQuestion(this.#settings, { turn, session, request: asked, newAnswerId });
    if (place.status === "answered") return this.#replay(turn, place, asked);
    return chatStream(this.#write(turn, place, asked, { newAnswerId, request }));
  }

  #write(
    turn: Turn,
    { base, messages }: StoredQuestion,
    asked: ChatRequest,
    { newAnswerId, request }: { readonly newAnswerId: string; readonly request: Request },
  ): ReadableStream<UIMessageChunk> {
    const { respond, waitUntil } = this.#settings;
    const { sessionId } = turn;
    const { chatId } = asked;
    const answering = new AnswerTurn(this.#settings, {
      turn,
      answerId: base?.id ?? newAnswerId,
      asked: requestName(asked),
      base,
      respond: (signal) => respond({ chatId, sessionId, messages, signal, request }),
    });
    waitUntil(answering.run());
    return answering.stream;
  }

  async #replay(turn: Turn, { answer }: Answered, asked: ChatRequest): Promise<Response> {
    await this.#release(turn);
    const message = await answerIn(answer);
    if (message === undefined) throw new TypeError(`Message "${answer.id}" is no answer.`);
    return chatStream(replayAnswer(answer, message, knownTo(asked)));
  }

  async #untilEnded(sessionId: string, turn: TurnInfo, signal: AbortSignal): Promise<void> {
    const answer = followAnswer(this.#settings, { sessionId, turn, signal });
    for (let next = await answer.next(); next.done !== true; ) next = await answer.next();
  }

  #follow(sessionId: string, turn: TurnInfo, { signal }: Request, known?: UIMessage): Response {
    return chatStream(this.#withError(followAnswer(this.#settings, { sessionId, turn, signal, known })));
  }

  /** An error of a stream is its last chunk. */
  async *#withError(chunks: AsyncIterable<UIMessageChunk>): AsyncGenerator<UIMessageChunk, void, undefined> {
    try {
      yield* chunks;
    } catch (error) {
      yield { type: "error", errorText: this.#settings.onError(error) };
    }
  }
}

/** The part of the answer that the page has already, if it continues an answer. */
function knownTo({ messages }: ChatRequest): UIMessage | undefined {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last : undefined;
}
