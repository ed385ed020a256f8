import { errorMessage } from "@sessions/turn-runner";
import { EndpointError, type EndpointErrorCode, type EndpointErrorFields } from "../endpoint-error.js";
import { optionalField } from "../optional-field.js";
import type { Settings } from "../settings.js";
import { adviceOn } from "./advice.js";
import { codeOf, type ProviderError } from "./provider-error.js";
import { retryAfterOf } from "./retry-delay.js";

const MAX_EXCERPT_CHARS = 500;

/** Makes the errors of one request. This is the only place where secrets are removed from texts of the endpoint. */
export class EndpointFailures {
  readonly #settings: Settings;
  readonly #model: string;
  /** Of the response, once there is one. */
  #headers: Headers | undefined;

  constructor(settings: Settings, model: string) {
    this.#settings = settings;
    this.#model = model;
  }

  /** From now on errors carry the endpoint's request id. */
  answered({ headers }: Response): void {
    this.#headers = headers;
  }

  unreachable(error: unknown): EndpointError {
    const problem = `cannot be reached (${this.#chain(error)}). Check \`baseURL\` and the network.`;
    return this.#error("UNREACHABLE", problem, this.#cause(error));
  }

  silent(): EndpointError {
    const problem = `was silent for ${this.#settings.timeoutMs} ms.`;
    return this.#error(
      "TIMEOUT",
      `${problem} Try again, or raise \`timeoutMs\` where a model thinks that long.`,
    );
  }

  /** Without an error: the body ended as if the answer were complete. */
  cutOff(error?: unknown): EndpointError {
    const problem = "ended the connection before its answer was complete";
    return error === undefined
      ? this.#error("CUT_OFF", `${problem}. Try again.`)
      : this.#error("CUT_OFF", `${problem} (${this.#chain(error)}). Try again.`, this.#cause(error));
  }

  malformed(problem: string, body: string): EndpointError {
    const advice = "Check that `baseURL` leads to an OpenAI-compatible endpoint, and that it can stream.";
    return this.#error("MALFORMED_ANSWER", `${problem}. ${advice}`, { bodyExcerpt: this.excerpt(body) });
  }

  /** An error that the endpoint reports itself. */
  reported(reported: ProviderError, body: string): EndpointError {
    const { status, providerCode } = reported;
    const code = codeOf(status, providerCode);
    const retryAfterMs = retryAfterOf(this.#headers, this.#settings.clock);
    const advice = adviceOn(code, this.#settings, { ...reported, model: this.#model, retryAfterMs });
    const words = this.excerpt(reported.message ?? body);
    const said = [status === undefined ? "an error" : String(status), words].filter((part) => part !== "");
    return this.#error(code, `answered ${sentence(said.join(": "))} ${advice}`, {
      bodyExcerpt: this.excerpt(body),
      ...optionalField("status", status),
      ...optionalField("providerCode", providerCode === undefined ? undefined : this.excerpt(providerCode)),
      ...optionalField("retryAfterMs", retryAfterMs),
    });
  }

  /** The endpoint worked, but the answer is incomplete. */
  incomplete(code: EndpointErrorCode, problem: string): EndpointError {
    return this.#error(code, problem);
  }

  #error(code: EndpointErrorCode, problem: string, fields: EndpointErrorFields = {}): EndpointError {
    const { place, secrets } = this.#settings;
    const requestId = this.#headers?.get("x-request-id") ?? this.#headers?.get("request-id") ?? undefined;
    const id = optionalField("requestId", requestId === undefined ? undefined : this.excerpt(requestId));
    return new EndpointError(code, secrets.redact(`${place} ${problem}`), { ...fields, ...id });
  }

  #cause(error: unknown): EndpointErrorFields {
    return { cause: this.#settings.secrets.cleanError(error) };
  }

  /** `fetch` throws "fetch failed", and only the cause says why. Deeper causes are in `cause`. */
  #chain(error: unknown): string {
    const cause = causeOf(error);
    const words = errorMessage(error);
    return this.excerpt(cause === undefined ? words : `${words}: ${errorMessage(cause)}`);
  }

  /** A text of the endpoint on one line. Secrets are removed before it is cut: half a key is a secret too. */
  excerpt(text: string): string {
    const line = this.#settings.secrets.clean(text).replaceAll(/\s+/g, " ").trim();
    return line.length > MAX_EXCERPT_CHARS ? `${line.slice(0, MAX_EXCERPT_CHARS)}…` : line;
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The cause of an error, or what reading it throws. */
function causeOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.cause : undefined;
  } catch (unreadable) {
    return unreadable;
  }
}
