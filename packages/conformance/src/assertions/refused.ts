import { type ErrorCode, SessionError } from "@sessions/protocol";
import { expect } from "vitest";

type Attempt = PromiseLike<unknown> | (() => unknown);

/** The attempt must fail with this code (one of these), these fields, and a message for people. Returns the error. */
export async function refused(
  attempt: Attempt,
  code: ErrorCode | readonly ErrorCode[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<SessionError> {
  const error = await failureOf(attempt);
  if (!SessionError.is(error))
    throw new Error(`expected ${String(code)}, not a foreign error`, { cause: error });
  expect([code].flat(), error.message).toContain(error.code);
  expect(error.message.length, "the message says what to do").toBeGreaterThan(10);
  expect(error).toMatchObject(fields);
  return error;
}

/** What the attempt is rejected with, whatever it is. */
export async function failureOf(attempt: Attempt): Promise<unknown> {
  let result: unknown;
  try {
    result = await (typeof attempt === "function" ? attempt() : attempt);
  } catch (error) {
    return error;
  }
  throw new Error(`expected a failure, but it succeeded with ${JSON.stringify(result)}`);
}
