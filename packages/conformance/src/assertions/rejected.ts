import type { ErrorCode, SessionError } from "@sessions/protocol";
import { refused } from "./refused.js";

/** The call must return a promise that rejects with this code. It must not throw before it returns. */
export async function rejected(
  call: () => PromiseLike<unknown>,
  code: ErrorCode | readonly ErrorCode[],
  what: string,
): Promise<SessionError> {
  let promise: PromiseLike<unknown>;
  try {
    promise = call();
  } catch (error) {
    throw new Error(`${what}: thrown before a promise was returned`, { cause: error });
  }
  try {
    return await refused(promise, code);
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
