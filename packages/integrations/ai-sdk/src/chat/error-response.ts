import { type ErrorCode, SessionError } from "@sessions/protocol";

/** What the page is told, by the code of an error. Nothing of the error itself: it may name files, hosts or users. */
const REFUSALS: Partial<Readonly<Record<ErrorCode, readonly [status: number, sentence: string]>>> = {
  INVALID_ARGUMENT: [400, "The request is not valid."],
  SESSION_NOT_FOUND: [404, "There is no such chat."],
  TURN_BUSY: [409, "Another answer is being written. Try again later."],
  TOO_LARGE: [413, "The request is too large."],
};

/**
 * Runs a handler. A `Response` that it throws is the answer. Any error becomes a status, a stable code in `x-session-error`, and
 * a sentence that is safe to show; `onError` gets the error and says that sentence where the server is at fault.
 */
export async function responding(
  onError: (error: unknown) => string,
  { signal }: Request,
  handle: () => Promise<Response>,
): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof Response) return error;
    // The page is gone, and no fault of the server's.
    if (signal.aborted && error === signal.reason) return refusal(499, "ABORTED", "The request was aborted.");
    return responseTo(error, onError);
  }
}

function responseTo(error: unknown, onError: (error: unknown) => string): Response {
  if (!SessionError.is(error)) return refusal(500, "INTERNAL", onError(error));
  const [status, sentence] = REFUSALS[error.code] ?? [];
  if (status !== undefined) return refusal(status, error.code, aboutRequest(error) ?? sentence ?? "");
  return refusal(error.retryable ? 503 : 500, error.code, onError(error));
}

/** What is wrong with the request itself was written here, and says only where in the request it is. */
function aboutRequest(error: SessionError): string | undefined {
  const path: unknown = Reflect.get(error, "path");
  return typeof path === "string" && /^(body|url)\b/.test(path) ? error.message : undefined;
}

function refusal(status: number, code: string, text: string): Response {
  return new Response(text, { status, headers: { "x-session-error": code } });
}
