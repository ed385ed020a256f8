import type { CheckpointOptions } from "@sessions/managed-agent";
import type { Clock, SessionStore } from "@sessions/protocol";
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

/** How to make the handlers of a chat. */
export interface ChatHandlersOptions {
  readonly store: SessionStore;
  readonly respond: (request: AnswerRequest) => Answer | Promise<Answer>;
  /**
   * The session of a chat. Say here who may use it: throw a `Response` to refuse.
   * @default the chat's id
   */
  readonly sessionIdOf?: ((request: Request, chatId: string) => string | Promise<string>) | undefined;
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
  /** What a page is told of an error. @default "An error occurred." */
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
}
