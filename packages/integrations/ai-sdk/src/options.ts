import type { Clock, OptionNames, SessionStore } from "@sessions/protocol/integration";
import type { CheckpointOptions } from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";

/** What must be answered. */
export interface AnswerRequest {
  readonly chatId: string;
  readonly sessionId: string;
  /** The chat as it is stored, the new message last. Give it to `convertToModelMessages`. */
  readonly messages: UIMessage[];
  /** Aborts when the answer is stopped, from any process, or lost. Pass it to the model. It does not abort when the page is closed. */
  readonly signal: AbortSignal;
  /** What the page sent. Its body is read already. */
  readonly request: Request;
}

/** An answer: a result of `streamText`, the response that it makes, or any stream of the SDK's UI messages. */
export type Answer =
  | AsyncIterable<UIMessageChunk>
  | ReadableStream<UIMessageChunk>
  | Response
  | { toUIMessageStream(): AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk> };

/** Says who asks. Nothing of a chat is read or written before. */
export type Authorize = (
  request: Request,
  chatId: string,
) => string | null | undefined | false | Promise<string | null | undefined | false>;

/** How to make the handlers of a chat. */
export interface ChatHandlersOptions {
  readonly store: SessionStore;
  readonly respond: (request: AnswerRequest) => Answer | Promise<Answer>;
  /**
   * Whose chat is it? A chat's id comes from the page, and anybody can send any. Returns the id of the user who asks; no string, or
   * an empty one, is a 403; throw a `Response` to refuse otherwise (401). It is asked on every route, before the store is
   * read or written. `"public"`: whoever knows a chat's id may read it and write to it.
   */
  readonly authorize: "public" | Authorize;
  /**
   * The session of a chat, asked after `authorize`.
   * @default `sessionKey(user, chatId)`; the chat's id where `authorize` is `"public"`
   */
  readonly sessionIdOf?: ((request: Request, chatId: string) => string | Promise<string>) | undefined;
  /** How large the body of a request may be; beyond it: 413. @default 16 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** When a growing answer is saved; what a tool did is saved at once. @default { everyMs: 250, everyChars: 4096 } */
  readonly checkpoint?: CheckpointOptions | undefined;
  /** How long the chat of a process that died is taken for alive. @default 15000 */
  readonly ttlMs?: number | undefined;
  /** How long a message waits for the answer before it, in order of arrival. @default 60000 */
  readonly waitMs?: number | undefined;
  /** For people: who answers. */
  readonly owner?: string | undefined;
  /** Where a platform ends a function with its response: told what must go on. Next.js: `after`. */
  readonly waitUntil?: ((work: Promise<void>) => void) | undefined;
  /**
   * Told of every error that is the server's fault; says what the page is told of it. Log it here: the page is told nothing
   * else. @default "An error occurred."
   */
  readonly onError?: ((error: unknown) => string) | undefined;
  /** Time; tests hold it still. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Fetch route handlers for `useChat`. */
export interface ChatHandlers {
  /** `POST /api/chat`: puts a message in its place and streams the answer, which goes on if the page is closed. */
  readonly post: (request: Request) => Promise<Response>;
  /**
   * `GET /api/chat/:id/stream`: the answer that is being written, from its beginning; 204 if there is none. With
   * `?since=` and the revision that `loadChat` told, also one that has ended since then.
   */
  readonly resume: (request: Request, chatId?: string) => Promise<Response>;
  /** `DELETE /api/chat/:id`, or wherever you want it: stops the answer, whichever process writes it, and waits for its end. */
  readonly stop: (request: Request, chatId?: string) => Promise<Response>;
  /** `GET /api/chat/:id`: the chat as JSON, as `loadChat` has it. */
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
