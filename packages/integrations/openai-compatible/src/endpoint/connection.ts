import { fieldsAt, isFields, pause, withDeadline } from "@sessions/turn-runner";
import type { Settings } from "../settings.js";
import type { EndpointFailures } from "./endpoint-failures.js";
import { providerError } from "./provider-error.js";
import { serverSentEvents } from "./server-sent-events.js";

const DONE = "[DONE]";
/** How long to wait for the end of the body after `[DONE]`. */
const LINGER_MS = 100;
/** How long to wait for usage and `[DONE]` after the finish reason, in all. */
const MAX_FINISHING_MS = 5000;
/** How much of an error response's body is read. */
const MAX_EXPLANATION_CHARS = 16_384;

/** One request and its response. A consumer that stops reading closes it. */
export class Connection {
  readonly #settings: Settings;
  readonly #failures: EndpointFailures;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  /** How long the endpoint may still take after the finish reason. */
  #finishingMs: number | undefined;

  constructor(settings: Settings, failures: EndpointFailures, signal: AbortSignal) {
    this.#settings = settings;
    this.#failures = failures;
    this.#signal = AbortSignal.any([signal, this.#end.signal]);
  }

  /** The data of the answer, `[DONE]` included. Ends with the body, even if that was cut. */
  async *answer(body: string): AsyncGenerator<string> {
    try {
      const chunks = this.#chunks(await this.#streamed(body));
      for await (const data of serverSentEvents(chunks)) {
        yield data;
        if (data === DONE) return await this.#linger(chunks);
      }
    } finally {
      this.#end.abort();
    }
  }

  /** The finish reason has come: only usage can be missing, and keep-alive comments do not prolong the wait for it. */
  finishing(): void {
    this.#finishingMs ??= Math.min(MAX_FINISHING_MS, this.#settings.timeoutMs);
  }

  async #streamed(body: string): Promise<Response> {
    const response = await this.#send(body);
    this.#failures.answered(response);
    const type = response.headers.get("content-type") ?? "";
    // Many endpoints stream under a wrong type or none. These two types are never a stream.
    if (response.ok && !/\bjson\b|\bhtml\b/.test(type)) return response;
    throw this.#refusal(response, type, await this.#explanation(response));
  }

  #send(body: string): Promise<Response> {
    const { url, headers, fetch } = this.#settings;
    // A redirect would send headers with keys to another server.
    const init = { method: "POST", redirect: "manual", headers, body, signal: this.#signal } as const;
    const send = async (): Promise<Response> => requireResponse(await fetch(url, init));
    return this.#unlessSilent(send, (error) => this.#failures.unreachable(error));
  }

  #refusal(response: Response, type: string, body: string): Error {
    const reported = providerError(parsed(body));
    if (!response.ok) {
      const { message, providerCode } = reported ?? {};
      return this.#failures.reported({ message, providerCode, status: statusOf(response) }, body);
    }
    if (reported !== undefined) return this.#failures.reported(reported, body);
    return this.#failures.malformed(
      `answered with ${this.#failures.excerpt(type)} and not with a stream`,
      body,
    );
  }

  /** As much of an error response's body as can be read. If that fails, the status is still the error. */
  async #explanation(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of this.#chunks(response)) {
        text += decoder.decode(chunk, { stream: true });
        if (text.length > MAX_EXPLANATION_CHARS) break;
      }
    } catch (error) {
      this.#signal.throwIfAborted();
      text += ` [cut off: ${error instanceof Error ? error.message : String(error)}]`;
    }
    return text;
  }

  async *#chunks({ body }: Response): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await this.#unlessSilent(
        () => reader.read(),
        (error) => this.#failures.cutOff(error),
      );
      if (done) return;
      yield value;
    }
  }

  /** Waits for the endpoint, for `timeoutMs` at most. */
  async #unlessSilent<Result>(
    work: () => Promise<Result>,
    failure: (error: unknown) => Error,
  ): Promise<Result> {
    const { clock, timeoutMs } = this.#settings;
    const begunAt = clock.monotonic();
    const error = (): Error => this.#failures.silent();
    const result = await withDeadline(
      { clock, ms: this.#finishingMs ?? timeoutMs, signal: this.#signal, error },
      () => work().catch((reason: unknown) => Promise.reject(failure(reason))),
    );
    if (this.#finishingMs === undefined) return result;
    this.#finishingMs -= clock.monotonic() - begunAt;
    if (this.#finishingMs <= 0) throw error();
    return result;
  }

  /**
   * Reads the body to its end, so that the connection can be reused. Whatever comes or fails after `[DONE]` changes nothing, and
   * an endpoint that keeps the body open is not waited for.
   */
  async #linger(chunks: AsyncGenerator<Uint8Array>): Promise<void> {
    const end = chunks.next().then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([end, pause(this.#settings.clock, LINGER_MS, this.#signal)]);
    // Before the generators are closed: a pending read would block them. This also ends the pause.
    this.#end.abort();
  }
}

/** A `fetch` of the user may return anything. */
function requireResponse(response: Response): Response {
  const given: unknown = response;
  const isResponse = isFields(given) && typeof fieldsAt(given, "headers")["get"] === "function";
  if (isResponse) return response;
  throw new TypeError("options.fetch did not give a Response");
}

function statusOf({ status, type }: Response): number {
  // Browsers report a redirect as status 0.
  return type === "opaqueredirect" ? 302 : status;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    // Proxies often answer in HTML or plain text.
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
