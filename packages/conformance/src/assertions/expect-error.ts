import { type ErrorCode, SessionError } from "@sessions/protocol";
import { expect } from "vitest";
import { type Attempt, errorOf } from "./error-of.js";

/** Expects a SessionError with this code (or one of these) and these fields, and returns it. */
export async function expectError(
  attempt: Attempt,
  code: ErrorCode | readonly ErrorCode[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<SessionError> {
  const error = await errorOf(attempt);
  if (!SessionError.is(error))
    throw new Error(`expected ${String(code)}, not a foreign error`, { cause: error });
  expect([code].flat(), error.message).toContain(error.code);
  expect(error.message.length, "the message says what to do").toBeGreaterThan(10);
  expect(error).toMatchObject(fields);
  return error;
}
