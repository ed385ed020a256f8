import type { Clock, OptionNames, SessionStore } from "@sessions/protocol/integration";
import type { CheckpointOptions } from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";

/** A request to answer. */
export interface AnswerRequest {
  readonly chatId: string;
  readonly sessionId: string;
  /** The chat as it is stored, the new message last. Pass it to `convertToModelMessages`. */
  readonly messages: UIMessage[];
  /** Aborts when the answer is stopped, by any process, or its turn is lost. Pass it to the model. It does not abort when the page is closed. */
  readonly signal: AbortSignal;
  /** The request of the page. Its body is read already. */
  readonly request: Request;
}

/** An answer: a result of `streamText`, the response that it makes, or any stream of the SDK's UI messages. */
export type Answer =
  | AsyncIterable<UIMessageChunk>
  | ReadableStream<UIMessageChunk>
  | Response
  | { toUIMessageStream(): AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk> };

/** Returns the id of the user. It is called before the store is read or written. */
export type Authorize = (
  request: Request,
  chatId: string,
) => string | null | undefined | false | Promise<string | null | undefined | false>;

/** Options of `createChatHandlers`. */
export interface ChatHandlersOptions {
  readonly store: SessionStore;
  readonly respond: (request: AnswerRequest) => Answer | Promise<Answer>;
  /**
   * Returns the id of the user who sent the request: the chat's id comes from the page, and anybody can send any id. Anything but a
   * non-empty string is a 403; throw a `Response` to refuse in another way (401). It is called on every route, before the store is read or
   * written. `"public"`: anybody who knows a chat's id may read it and write to it.
   */
  readonly authorize: "public" | Authorize;
  /**
   * The id of a chat's session. It is called after `authorize`.
   * @default `sessionKey(user, chatId)`; the chat's id if `authorize` is `"public"`
   */
  readonly sessionIdOf?: ((request: Request, chatId: string) => string | Promise<string>) | undefined;
  /** The largest body of a request; a larger one is a 413. @default 16 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** When a growing answer is saved. Tool calls and their results are saved at once. @default { everyMs: 250, everyChars: 4096 } */
  readonly checkpoint?: CheckpointOptions | undefined;
  /** The lease of an answer: how long it blocks its chat after its process has died. @default 15000 */
  readonly ttlMs?: number | undefined;
  /** How long a message waits for the answer before it, in order of arrival. @default 60000 */
  readonly waitMs?: number | undefined;
  /** A name for the process that answers, for people. */
  readonly owner?: string | undefined;
  /** For platforms that end a function with its response: called with the work that must continue. Next.js: `after`. */
  readonly waitUntil?: ((work: Promise<void>) => void) | undefined;
  /**
   * Called with every error that is the server's fault. Log it here: the page gets only the sentence that this returns.
   * @default "An error occurred."
   */
  readonly onError?: ((error: unknown) => string) | undefined;
  /** The clock, for tests. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Fetch route handlers for `useChat`. */
export interface ChatHandlers {
  /** `POST /api/chat`: stores a message and streams the answer, which continues if the page is closed. */
  readonly post: (request: Request) => Promise<Response>;
  /**
   * `GET /api/chat/:id/stream`: the answer that is being written, from its beginning; 204 if there is none. With
   * `?since=` and the revision that `loadChat` returned, also an answer that has ended since then.
   */
  readonly resume: (request: Request, chatId?: string) => Promise<Response>;
  /** `DELETE /api/chat/:id`, or any other route: stops the answer, in whichever process, and waits for its end. */
  readonly stop: (request: Request, chatId?: string) => Promise<Response>;
  /** `GET /api/chat/:id`: the chat as JSON, as `loadChat` returns it. */
  readonly load: (request: Request, chatId?: string) => Promise<Response>;
}

export const CHAT_HANDLERS_OPTIONS: OptionNames<ChatHandlersOptions> = {
  store: "object",
  authorize: true,
  maxBodyBytes: "count",
  respond: "function",
  sessionIdOf: "function",
  checkpoint: "object",
  ttlMs: "count",
  waitMs: "count",
  owner: "text",
  waitUntil: "function",
  onError: "function",
  clock: "object",
};
