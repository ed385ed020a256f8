import { type ErrorCode, SessionError } from "@sessions/protocol";

/** The status and the sentence for the page. The error's own text is not sent: it may name files, hosts or users. */
const REFUSALS: Partial<Readonly<Record<ErrorCode, readonly [status: number, sentence: string]>>> = {
  INVALID_ARGUMENT: [400, "The request is not valid."],
  SESSION_NOT_FOUND: [404, "There is no such chat."],
  TURN_BUSY: [409, "Another answer is being written. Try again later."],
  TOO_LARGE: [413, "The request is too large."],
};

/**
 * Runs a handler. A `Response` that it throws is the response. Any other error becomes a status, a stable code in `x-session-error`, and
 * a sentence that is safe to show; `onError` gets the errors of the server and returns the sentence for them.
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
    // The page has left: no error of the server.
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

/** The message of an error about the request itself: it only names fields of the request. */
function aboutRequest(error: SessionError): string | undefined {
  const path: unknown = Reflect.get(error, "path");
  return typeof path === "string" && /^(body|url)\b/.test(path) ? error.message : undefined;
}

function refusal(status: number, code: string, text: string): Response {
  return new Response(text, { status, headers: { "x-session-error": code } });
}
