import type { ErrorCode, SessionError } from "@sessions/protocol";
import { expectError } from "./expect-error.js";

/** Expects that the call returns a promise that rejects with this code. It must not throw before it returns. */
export async function expectRejection(
  call: () => PromiseLike<unknown>,
  code: ErrorCode | readonly ErrorCode[],
  description: string,
): Promise<SessionError> {
  let promise: PromiseLike<unknown>;
  try {
    promise = call();
  } catch (error) {
    throw new Error(`${description}: thrown before a promise was returned`, { cause: error });
  }
  try {
    return await expectError(promise, code);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${description}: ${message}`, { cause: error });
  }
}
