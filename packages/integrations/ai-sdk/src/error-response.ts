import { type ErrorCode, SessionError } from "@sessions/protocol";

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  INVALID_ARGUMENT: 400,
  SESSION_NOT_FOUND: 404,
  TURN_BUSY: 409,
  TOO_LARGE: 413,
};

/** Runs a handler. A `Response` that it throws is the answer; an error of a store is one that says what to do. */
export async function responding(handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof Response) return error;
    if (!SessionError.is(error)) throw error;
    const status = STATUS[error.code] ?? (error.retryable ? 503 : 500);
    return new Response(error.message, { status, headers: { "x-session-error": error.code } });
  }
}
