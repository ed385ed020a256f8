import { ERROR_ADVICE } from "./error-advice.js";
import type { ErrorCode, ErrorDetails } from "./error-details.js";

// Works across several copies of this package in one process; `instanceof` does not.
const BRAND = Symbol.for("@sessions/protocol/SessionError");

/** What an error needs besides its code and message. */
export type ErrorFields<Code extends ErrorCode> = ErrorDetails[Code] & {
  readonly sessionId?: string | undefined;
  readonly cause?: unknown;
  /** `false` if no retry can help with this error, though it can with others of the same code. */
  readonly retryable?: false;
};

/** A `SessionError` whose code is known, with the fields of that code. */
export type SessionErrorOf<Code extends ErrorCode> = {
  [C in Code]: SessionError & { readonly code: C } & ErrorDetails[C];
}[Code];

/**
 * The root of every error that this library throws.
 *
 * @example
 * ```ts
 * try {
 *   await store.addMessage("s", { role: "user", content: "hi" }, { ifRevision: 3 });
 * } catch (error) {
 *   if (SessionError.is(error, "REVISION_CONFLICT")) console.log(error.actual);
 * }
 * ```
 */
export class SessionError extends Error {
  override readonly name: string = "SessionError";
  readonly code: ErrorCode;
  /** The same call may succeed later (with the same `commitId` where the code is OUTCOME_UNKNOWN). */
  readonly retryable: boolean;
  readonly sessionId?: string;

  private constructor(code: ErrorCode, message: string, fields: ErrorFields<ErrorCode>) {
    const { cause, sessionId, retryable, ...details } = fields;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable ?? ERROR_ADVICE[code].retry !== "never";
    if (sessionId !== undefined) this.sessionId = sessionId;
    Object.assign(this, details);
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Creates an error with the fields of its code. `message` says what happened and what to do. */
  static of<Code extends ErrorCode>(
    code: Code,
    message: string,
    fields: ErrorFields<Code>,
  ): SessionErrorOf<Code>;
  static of(code: ErrorCode, message: string, fields: ErrorFields<ErrorCode>): SessionError {
    return new SessionError(code, message, fields);
  }

  /** Whether `error` is a `SessionError` (of any copy of this package) and, if `codes` are passed, has one of them. */
  static is(error: unknown): error is SessionError;
  static is<Code extends ErrorCode>(error: unknown, ...codes: readonly Code[]): error is SessionErrorOf<Code>;
  static is(error: unknown, ...codes: readonly ErrorCode[]): boolean {
    if (!(error instanceof Error) || !(BRAND in error)) return false;
    const known = error as Error & { readonly code?: ErrorCode };
    return codes.length === 0 || (known.code !== undefined && codes.includes(known.code));
  }

  /** A plain object for logs. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([...Object.entries(this), ["message", this.message]]);
  }
}
