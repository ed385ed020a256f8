import { adviceOn } from "./advice.js";
import { EndpointError, type EndpointErrorCode, type EndpointErrorFields } from "./endpoint-error.js";
import { field } from "./json-fields.js";
import { retryAfterOf } from "./retry-delay.js";
import type { Settings } from "./settings.js";
import { codeOf, type ToldError } from "./told-error.js";

const EXCERPT = 500;

/** Makes the errors of one request. All text that they hold is freed of secrets here, and nowhere else. */
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
    const problem = `cannot be reached (${chainOf(error)}). Check \`baseURL\` and the network.`;
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
      : this.#error("CUT_OFF", `${problem} (${chainOf(error)}). Try again.`, this.#cause(error));
  }

  malformed(problem: string, body: string): EndpointError {
    const advice = "Check that `baseURL` leads to an OpenAI-compatible endpoint, and that it can stream.";
    return this.#error("MALFORMED_ANSWER", `${problem}. ${advice}`, { bodyExcerpt: this.#excerpt(body) });
  }

  /** What the endpoint says is wrong. */
  told(told: ToldError, body: string): EndpointError {
    const { status, providerCode } = told;
    const code = codeOf(status, providerCode);
    const retryAfterMs = retryAfterOf(this.#headers, this.#settings.clock);
    const advice = adviceOn(code, this.#settings, { ...told, model: this.#model, retryAfterMs });
    const words = this.#excerpt(told.message ?? body);
    const said = [status === undefined ? "an error" : String(status), words].filter((part) => part !== "");
    return this.#error(code, `answered ${sentence(said.join(": "))} ${advice}`, {
      bodyExcerpt: this.#excerpt(body),
      ...field("status", status),
      ...field("providerCode", providerCode),
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
    const told = Object.entries({ ...fields, ...field("requestId", requestId) });
    const free = told.map(([name, value]) => [
      name,
      typeof value === "string" ? secrets.redact(value) : value,
    ]);
    return new EndpointError(code, secrets.redact(`${place} ${problem}`), Object.fromEntries(free));
  }

  #cause(error: unknown): EndpointErrorFields {
    return { cause: this.#settings.secrets.redactError(error) };
  }

  // Freed of secrets before it is cut: half a key is one too.
  #excerpt(text: string): string {
    const line = this.#settings.secrets.redact(text).replaceAll(/\s+/g, " ").trim();
    return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
  }
}

/** fetch says "fetch failed", and only the cause of that says why. Deeper causes are in `cause`. */
function chainOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? wordsOf(error) : `${wordsOf(error)}: ${wordsOf(cause)}`;
}

/** A host with several addresses fails with several errors, under one that has a code and no message. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
