// Survives duplicate copies of this package in one process, which `instanceof` does not.
const BRAND = Symbol.for("@sessions/openai-compatible/EndpointError");

/** Every code that an `EndpointError` can have. Codes are stable. */
export type EndpointErrorCode =
  /** No connection: a wrong host, a server that is down. */
  | "UNREACHABLE"
  /** 401, 403: the key. */
  | "UNAUTHORIZED"
  /** 404 and redirects: the model or the baseURL. */
  | "NOT_FOUND"
  /** 429. */
  | "RATE_LIMITED"
  /** 402, and 429 `insufficient_quota`: the account has no credit left. */
  | "QUOTA_EXCEEDED"
  /** 400 and the like: the endpoint refuses this request. */
  | "REQUEST_REFUSED"
  /** 5xx, or an error in the middle of an answer. */
  | "SERVER_ERROR"
  /** The endpoint was silent for `timeoutMs`. */
  | "TIMEOUT"
  /** The connection ended before the answer did. */
  | "CUT_OFF"
  /** The response is no stream of chat completion chunks. */
  | "MALFORMED_ANSWER"
  /** The model reached its limit of output tokens: the answer is incomplete. */
  | "OUTPUT_LIMIT"
  /** The provider's filter stopped the answer. */
  | "CONTENT_FILTER"
  /** The model still called tools in the last allowed request. */
  | "STEP_LIMIT";

/** The fields of an error besides its code and message. */
export interface EndpointErrorFields {
  /** The HTTP status, or the one that the endpoint reported in the middle of its answer. */
  readonly status?: number;
  /** The endpoint's own code, such as `context_length_exceeded`. */
  readonly providerCode?: string;
  /** For the provider's support. */
  readonly requestId?: string;
  /** The beginning of the response body, without keys. */
  readonly bodyExcerpt?: string;
  /** How long the endpoint asks to wait. */
  readonly retryAfterMs?: number;
  /** The underlying error, as plain data without keys. */
  readonly cause?: unknown;
}

const RETRYABLE: ReadonlySet<EndpointErrorCode> = new Set([
  "UNREACHABLE",
  "RATE_LIMITED",
  "SERVER_ERROR",
  "TIMEOUT",
  "CUT_OFF",
]);

/**
 * An error of the endpoint or of the connection to it. The message says what to do; no field contains a key.
 *
 * @example
 * ```ts
 * import { EndpointError } from "@sessions/openai-compatible";
 *
 * function advice(error: unknown): string {
 *   if (EndpointError.is(error, "RATE_LIMITED")) return `Come back in ${error.retryAfterMs ?? 1000} ms.`;
 *   return EndpointError.is(error) && error.retryable ? "Try again." : "Look at the logs.";
 * }
 * ```
 */
export class EndpointError extends Error implements EndpointErrorFields {
  override readonly name: string = "EndpointError";
  readonly code: EndpointErrorCode;
  /** The same turn may succeed later. */
  readonly retryable: boolean;
  declare readonly status?: number;
  declare readonly providerCode?: string;
  declare readonly requestId?: string;
  declare readonly bodyExcerpt?: string;
  declare readonly retryAfterMs?: number;

  constructor(code: EndpointErrorCode, message: string, fields: EndpointErrorFields = {}) {
    const { cause, ...details } = fields;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    Object.assign(this, details);
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether `error` is an `EndpointError` (of any copy of this package), with one of `codes` if any are passed. */
  static is(error: unknown, ...codes: readonly EndpointErrorCode[]): error is EndpointError {
    if (!(error instanceof Error) || !(BRAND in error)) return false;
    const known = error as Error & { readonly code?: EndpointErrorCode };
    return codes.length === 0 || (known.code !== undefined && codes.includes(known.code));
  }

  /** A plain form for logs. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([...Object.entries(this), ["message", this.message]]);
  }
}
