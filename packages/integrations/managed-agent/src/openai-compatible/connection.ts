import type { Failures } from "./failures.js";
import { fieldsAt, isFields } from "./json-fields.js";
import { serverSentEvents } from "./server-sent-events.js";
import type { Settings } from "./settings.js";
import { toldError } from "./told-error.js";
import { type Limits, TIME_IS_UP, within } from "./within.js";

const DONE = "[DONE]";
/** How long the end of the body is waited for once everything was said. */
const LINGER_MS = 100;
/** How long usage and `[DONE]` are waited for once the model has given its finish reason, in all. */
const MAX_FINISHING_MS = 5000;
/** How much is read of a body that explains a refusal. */
const EXPLANATION_BYTES = 16_384;

/** One request and its answer. Whoever stops reading closes it. */
export class Connection {
  readonly #settings: Settings;
  readonly #failures: Failures;
  readonly #end = new AbortController();
  readonly #limits: Limits;
  /** How long the endpoint may still be waited for, once the answer is finished. */
  #finishingMs: number | undefined;

  constructor(settings: Settings, failures: Failures, signal: AbortSignal) {
    this.#settings = settings;
    this.#failures = failures;
    this.#limits = { clock: settings.clock, signal: AbortSignal.any([signal, this.#end.signal]) };
  }

  /** The data of the answer, `[DONE]` included. Ends with the body, wherever that was cut. */
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

  /** The answer is finished: only usage can still be missing, and no sign of life prolongs the wait for it. */
  finishing(): void {
    this.#finishingMs ??= Math.min(MAX_FINISHING_MS, this.#settings.timeoutMs);
  }

  async #streamed(body: string): Promise<Response> {
    const response = await this.#send(body);
    this.#failures.answered(response);
    const type = response.headers.get("content-type") ?? "";
    // Endpoints that stream under no type or a wrong one are common. These two types are never a stream.
    if (response.ok && !/\bjson\b|\bhtml\b/.test(type)) return response;
    throw this.#refusal(response, type, await this.#explanation(response));
  }

  async #send(body: string): Promise<Response> {
    const { url, headers, fetch } = this.#settings;
    const { signal } = this.#limits;
    // A redirect would take headers with keys in them to another server.
    const init = { method: "POST", redirect: "manual", headers, body, signal } as const;
    const sent = (async () => requireResponse(await fetch(url, init)))();
    return await this.#heard(sent, (error) => this.#failures.unreachable(error));
  }

  #refusal(response: Response, type: string, body: string): Error {
    const told = toldError(parsed(body));
    if (!response.ok) {
      const { message, providerCode } = told ?? {};
      return this.#failures.told({ message, providerCode, status: statusOf(response) }, body);
    }
    if (told !== undefined) return this.#failures.told(told, body);
    return this.#failures.malformed(
      `answered with ${this.#failures.excerpt(type)} and not with a stream`,
      body,
    );
  }

  /** As much of the body as can be had. It only explains: the status is known, and stays what went wrong. */
  async #explanation(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of this.#chunks(response)) {
        text += decoder.decode(chunk, { stream: true });
        if (text.length > EXPLANATION_BYTES) break;
      }
    } catch (error) {
      this.#limits.signal.throwIfAborted();
      text += ` [cut off: ${error instanceof Error ? error.message : String(error)}]`;
    }
    return text;
  }

  async *#chunks({ body }: Response): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await this.#heard(reader.read(), (error) => this.#failures.cutOff(error));
      if (done) return;
      yield value;
    }
  }

  /** Waits for the endpoint, but not through a silence. */
  async #heard<Result>(work: Promise<Result>, failure: (error: unknown) => Error): Promise<Result> {
    const { clock, timeoutMs } = this.#settings;
    const explained = work.catch((error: unknown) => Promise.reject(failure(error)));
    const begunAt = clock.monotonic();
    const result = await within(explained, this.#finishingMs ?? timeoutMs, this.#limits);
    if (this.#finishingMs !== undefined) this.#finishingMs -= clock.monotonic() - begunAt;
    if (result === TIME_IS_UP || (this.#finishingMs ?? 1) <= 0) throw this.#failures.silent();
    return result;
  }

  /**
   * A body that was read to its end leaves the connection fit for the next request. Whatever comes or fails after
   * `[DONE]` changes nothing, and an endpoint that keeps the body open is not waited for.
   */
  async #linger(chunks: AsyncGenerator<Uint8Array>): Promise<void> {
    const end = chunks.next().then(
      () => undefined,
      () => undefined,
    );
    await within(end, LINGER_MS, this.#limits);
    // Before the generators are closed: a read that is still under way would hold them up.
    this.#end.abort();
  }
}

/** A `fetch` of the user's own may give anything. */
function requireResponse(response: Response): Response {
  const given: unknown = response;
  const isResponse = isFields(given) && typeof fieldsAt(given, "headers")["get"] === "function";
  if (isResponse) return response;
  throw new TypeError("options.fetch did not give a Response");
}

function statusOf({ status, type }: Response): number {
  // Browsers hide a redirect behind the status 0.
  return type === "opaqueredirect" ? 302 : status;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    // Many a proxy explains itself in HTML or plain text.
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
