import { type OptionNames, requireOptions, SessionError, systemClock } from "@sessions/protocol/integration";
import {
  notify,
  readBody,
  requireCount,
  requireFields,
  requireFunction,
  withDeadline,
} from "@sessions/turn-runner";
import type { BotReply } from "../bot-reply.js";
import type { BotSession } from "../bot-session.js";
import type { BotUpdate } from "../bot-update.js";
import { isLate, lateError } from "../late-error.js";
import { isBadUpdate } from "../turn/validate-update.js";

/** How a platform's webhook is read and answered. */
export interface BotWebhookOptions {
  readonly bot: BotSession;
  /**
   * Reads an update from a request; check the platform's signature here. A `Response` is sent as it is: 401 for a wrong signature, or
   * the answer to a handshake. `undefined`: there is nothing to answer. An error is a 400.
   */
  readonly read: (request: Request) => Promise<BotUpdate | Response | undefined>;
  /**
   * Sends the stored reply by the platform's API. If it throws, the platform is asked to deliver again, and then gets the same reply.
   * If it resolves, that is recorded, and a later delivery does not send again. Absent: the reply is the response's body.
   */
  readonly send?: ((reply: BotReply, update: BotUpdate) => Promise<void>) | undefined;
  /** How large the body of a request may be; beyond it: 413, and `read` is not called. @default 1 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** How long `read` and `send` may take, each; beyond it: 500. The bot's own `deadlineMs` limits the rest. @default 120000 */
  readonly deadlineMs?: number | undefined;
  /** Gets the errors behind a 400 or a 500, and the one of a sent reply that could not be recorded as sent; except those of `bot.handle`, which go to the bot's own `onError`. Absent: they are warnings of the process. */
  readonly onError?: ((error: unknown, request: Request) => void) | undefined;
}

const BOT_WEBHOOK_OPTIONS: OptionNames<BotWebhookOptions> = {
  bot: true,
  read: true,
  send: "function",
  maxBodyBytes: "count",
  deadlineMs: "count",
  onError: "function",
};

/** Platforms send links to files, not files. */
const MAX_BODY_BYTES = 1024 * 1024;

const DEADLINE_MS = 120_000;

const RETRY_AFTER_SECONDS = "5";

/**
 * Makes a webhook of a bot, for any server that speaks Fetch. 200 means that the update is handled and stored; every other status
 * asks the platform to deliver it again, which is safe.
 *
 * @example
 * ```ts
 * import { createBotWebhook } from "@sessions/bot-session/fetch";
 *
 * const webhook = createBotWebhook({
 *   bot: createBotSession({ store, platform: "chat", scope: "user", respond: () => "Hello." }),
 *   async read(request) {
 *     const { id, from, text } = JSON.parse(await request.text());
 *     return { id, user: from, text };
 *   },
 * });
 * const response = await webhook(new Request("http://bot", { method: "POST", body: '{"id":1,"from":42,"text":"Hi."}' }));
 * console.log(response.status);
 * ```
 */
export function createBotWebhook(given: BotWebhookOptions): (request: Request) => Promise<Response> {
  const options = requireOptions(given, BOT_WEBHOOK_OPTIONS);
  requireFields(options.bot, "options.bot");
  requireFunction(options.read, "options.read");
  const maxBodyBytes = requireCount(options.maxBodyBytes ?? MAX_BODY_BYTES, "options.maxBodyBytes", 1);
  const deadlineMs = requireCount(options.deadlineMs ?? DEADLINE_MS, "options.deadlineMs", 1);
  const webhook = new Webhook({ ...options, maxBodyBytes, deadlineMs });
  return (request) => webhook.respond(request);
}

/** A request that was read: an update, or a response. */
type Read = { readonly update: BotUpdate } | { readonly response: Response };

class Webhook {
  readonly #options: BotWebhookOptions & { readonly maxBodyBytes: number; readonly deadlineMs: number };

  constructor(options: BotWebhookOptions & { readonly maxBodyBytes: number; readonly deadlineMs: number }) {
    this.#options = options;
  }

  async respond(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const read = await this.#read(request);
    return "response" in read ? read.response : this.#answer(read.update, request);
  }

  async #read(request: Request): Promise<Read> {
    const { read, maxBodyBytes } = this.#options;
    try {
      const update = await this.#within(async () => read(await limited(request, maxBodyBytes)));
      if (update === undefined) return { response: status(204) };
      return update instanceof Response ? { response: update } : { update };
    } catch (error) {
      if (SessionError.is(error, "TOO_LARGE")) return { response: status(413) };
      this.#failed(error, request);
      return { response: status(isLate(error) ? 500 : 400) };
    }
  }

  async #answer(update: BotUpdate, request: Request): Promise<Response> {
    const { bot, send } = this.#options;
    let reply: BotReply;
    try {
      reply = await bot.handle(update);
    } catch (error) {
      return refusal(error, update);
    }
    if (send === undefined) return Response.json(reply);
    if (reply.sent) return status(200);
    try {
      await this.#within(() => send(reply, update));
    } catch (error) {
      this.#failed(error, request);
      return status(500);
    }
    // The reply was sent: a delivery that is asked for now would only send it again.
    await bot.confirmSent(update).catch((error: unknown) => this.#failed(error, request));
    return status(200);
  }

  #within<Value>(call: () => Promise<Value>): Promise<Awaited<Value>> {
    const { deadlineMs } = this.#options;
    return withDeadline({ clock: systemClock, ms: deadlineMs, error: () => lateError(deadlineMs) }, call);
  }

  #failed(error: unknown, request: Request): void {
    const { onError = warn } = this.#options;
    notify(() => onError(error, request));
  }
}

/** An error in `read` would be seen nowhere else. */
function warn(error: unknown): void {
  const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const warning = `The webhook of a bot could not handle a request. ${problem}`;
  process.emitWarning(warning, { type: "SessionsWarning", code: "SESSIONS_BOT_WEBHOOK" });
}

/** The same request with its body in memory, within the limit. */
async function limited(request: Request, maxBytes: number): Promise<Request> {
  if (request.body === null) return request;
  return new Request(request, { body: await readBody(request, maxBytes) });
}

// Without the error's text: it may quote the conversation, which the platform need not see.
function refusal(error: unknown, update: BotUpdate): Response {
  if (isBadUpdate(error, update)) return status(400);
  if (SessionError.is(error, "TURN_BUSY", "STORE_BUSY"))
    return new Response(null, { status: 503, headers: { "retry-after": RETRY_AFTER_SECONDS } });
  return status(500);
}

function status(code: number): Response {
  return new Response(null, { status: code });
}
