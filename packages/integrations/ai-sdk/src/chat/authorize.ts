import { sessionKey } from "@sessions/protocol";
import { raceAbort } from "@sessions/turn-runner";
import type { ChatHandlersOptions } from "../options.js";

/**
 * Authorizes a request and returns the session of its chat. Throws a `Response` if `authorize` refuses, and the reason of the request's
 * signal if the page leaves before it has answered.
 */
export function authorizedSession({
  authorize,
  sessionIdOf,
}: Pick<ChatHandlersOptions, "authorize" | "sessionIdOf">): (
  request: Request,
  chatId: string,
) => Promise<string> {
  return async (request, chatId) => {
    const { signal } = request;
    const user: unknown =
      authorize === "public" ? authorize : await raceAbort(signal, () => authorize(request, chatId));
    if (typeof user !== "string" || user === "") throw forbidden();
    if (sessionIdOf !== undefined)
      return requireSessionId(await raceAbort(signal, () => sessionIdOf(request, chatId)));
    return authorize === "public" ? chatId : sessionKey(user, chatId);
  };
}

/** A missing id is not replaced by the chat's id: any page could name the session of another user. */
function requireSessionId(sessionId: unknown): string {
  if (typeof sessionId === "string" && sessionId !== "") return sessionId;
  throw new TypeError("options.sessionIdOf must return the id of a session, or throw a Response.");
}

function forbidden(): Response {
  return new Response("You may not use this chat.", {
    status: 403,
    headers: { "x-session-error": "FORBIDDEN" },
  });
}
