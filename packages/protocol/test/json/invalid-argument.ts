import { SessionError, type SessionErrorOf } from "../../src/errors/session-error.js";

/** The INVALID_ARGUMENT that `call` throws. Any other outcome is an error. */
export function invalidArgument(call: () => unknown): SessionErrorOf<"INVALID_ARGUMENT"> {
  try {
    call();
  } catch (error) {
    if (SessionError.is(error, "INVALID_ARGUMENT")) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
