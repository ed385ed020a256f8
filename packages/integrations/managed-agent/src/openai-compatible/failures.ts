import { adviceOn } from "./advice.js";
import { EndpointError, type EndpointErrorCode, type EndpointErrorFields } from "./endpoint-error.js";
import { field } from "./json-fields.js";
import { retryAfterOf } from "./retry-delay.js";
import type { Settings } from "./settings.js";
import { causeOf, thrownText } from "./thrown-text.js";
import { codeOf, type ToldError } from "./told-error.js";

const EXCERPT = 500;

/** Makes the errors of one request. What others say in them is freed of secrets here, and nowhere else. */
export class Failures {
  readonly #settings: Settings;
  readonly #model: string;
  /** Once the endpoint has answered. */
  #headers: Headers | undefined;

  constructor(settings: Settings, model: string) {
    this.#settings = settings;
    this.#model = model;
  }

  /** From now on errors name the request as the endpoint names it. */
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

  /** Without an error: the body ended as if all had been said. */
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

  /** What the endpoint says is wrong. */
  told(told: ToldError, body: string): EndpointError {
    const { status, providerCode } = told;
    const code = codeOf(status, providerCode);
    const retryAfterMs = retryAfterOf(this.#headers, this.#settings.clock);
    const advice = adviceOn(code, this.#settings, { ...told, model: this.#model, retryAfterMs });
    const words = this.excerpt(told.message ?? body);
    const said = [status === undefined ? "an error" : String(status), words].filter((part) => part !== "");
    return this.#error(code, `answered ${sentence(said.join(": "))} ${advice}`, {
      bodyExcerpt: this.excerpt(body),
      ...field("status", status),
      ...field("providerCode", providerCode === undefined ? undefined : this.excerpt(providerCode)),
      ...field("retryAfterMs", retryAfterMs),
    });
  }

  /** The endpoint did what it should; the answer is not a whole one all the same. */
  incomplete(code: EndpointErrorCode, problem: string): EndpointError {
    return this.#error(code, problem);
  }

  #error(code: EndpointErrorCode, problem: string, fields: EndpointErrorFields = {}): EndpointError {
    const { place, secrets } = this.#settings;
    const requestId = this.#headers?.get("x-request-id") ?? this.#headers?.get("request-id") ?? undefined;
    const named = field("requestId", requestId === undefined ? undefined : this.excerpt(requestId));
    return new EndpointError(code, secrets.redact(`${place} ${problem}`), { ...fields, ...named });
  }

  #cause(error: unknown): EndpointErrorFields {
    return { cause: this.#settings.secrets.cleanError(error) };
  }

  /** fetch says "fetch failed", and only the cause of that says why. Deeper causes are in `cause`. */
  #chain(error: unknown): string {
    const cause = causeOf(error);
    const words = thrownText(error);
    return this.excerpt(cause === undefined ? words : `${words}: ${thrownText(cause)}`);
  }

  /** Words of the endpoint on one line. Freed of secrets before it is cut: half a key is one too. */
  excerpt(text: string): string {
    const line = this.#settings.secrets.clean(text).replaceAll(/\s+/g, " ").trim();
    return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
